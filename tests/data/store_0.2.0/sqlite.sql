CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE chunk (
	id INTEGER NOT NULL, 
	text_hash VARCHAR(64) NOT NULL, 
	chunk_hash VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_chunk PRIMARY KEY (id), 
	CONSTRAINT uq_chunk_text_hash UNIQUE (text_hash)
);
CREATE INDEX ix_chunk_chunk_hash ON chunk (chunk_hash);
CREATE TABLE sample (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	question TEXT, 
	answer TEXT NOT NULL, 
	reference TEXT, 
	extra JSON NOT NULL, 
	sample_hash VARCHAR(64) NOT NULL, 
	context_hash VARCHAR(64) NOT NULL, content_hash VARCHAR(64), 
	CONSTRAINT pk_sample PRIMARY KEY (id), 
	CONSTRAINT fk_sample_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT uq_sample_run_id_key UNIQUE (run_id, "key"), 
	CONSTRAINT uq_sample_run_id_position UNIQUE (run_id, position)
);
CREATE INDEX ix_sample_sample_hash ON sample (sample_hash);
CREATE TABLE claim (
	id INTEGER NOT NULL, 
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	claim_hash VARCHAR(64) NOT NULL, 
	evidence_hash VARCHAR(64) NOT NULL, 
	verdict VARCHAR(24) NOT NULL, 
	confidence DOUBLE, 
	support_score DOUBLE, 
	explanation TEXT NOT NULL, 
	claim_type VARCHAR(16), 
	importance VARCHAR(16), 
	hallucination_type VARCHAR(16), 
	severity VARCHAR(16), 
	correction TEXT, 
	spans JSON NOT NULL, mismatches JSON, 
	CONSTRAINT pk_claim PRIMARY KEY (id), 
	CONSTRAINT fk_claim_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT uq_claim_sample_id_number UNIQUE (sample_id, number)
);
CREATE INDEX ix_claim_claim_hash ON claim (claim_hash);
CREATE INDEX ix_claim_evidence_hash ON claim (evidence_hash);
CREATE INDEX ix_claim_hallucination ON claim (run_id, hallucination_type, sample_id);
CREATE INDEX ix_claim_verdict ON claim (run_id, verdict);
CREATE TABLE result (
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	position INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	segment TEXT, 
	timestamp DATETIME, 
	cluster VARCHAR(64) NOT NULL, 
	faithfulness DOUBLE, 
	faithfulness_weighted DOUBLE, 
	is_faithful BOOLEAN, 
	answer_score DOUBLE, 
	claims INTEGER NOT NULL, 
	supported INTEGER NOT NULL, 
	partially_supported INTEGER NOT NULL, 
	not_mentioned INTEGER NOT NULL, 
	contradicted INTEGER NOT NULL, 
	error TEXT, 
	suggestions JSON NOT NULL, 
	seconds DOUBLE NOT NULL, 
	llm_calls INTEGER NOT NULL, 
	cached_calls INTEGER NOT NULL, 
	prompt_tokens INTEGER NOT NULL, 
	completion_tokens INTEGER NOT NULL, 
	cost_usd DOUBLE, raw_reply TEXT, metrics JSON, warnings JSON, cached_prompt_tokens INTEGER, worst_harm DOUBLE, least_confidence DOUBLE, inclusion_probability DOUBLE, 
	CONSTRAINT pk_result PRIMARY KEY (sample_id), 
	CONSTRAINT fk_result_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE INDEX ix_result_segment ON result (run_id, segment);
CREATE INDEX ix_result_state ON result (run_id, state);
CREATE INDEX ix_result_worst ON result (run_id, faithfulness, position);
CREATE TABLE sample_chunk (
	sample_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	chunk_id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	rank INTEGER NOT NULL, 
	score DOUBLE, 
	meta JSON NOT NULL, 
	CONSTRAINT pk_sample_chunk PRIMARY KEY (sample_id, position), 
	CONSTRAINT fk_sample_chunk_chunk_id FOREIGN KEY(chunk_id) REFERENCES chunk (id), 
	CONSTRAINT fk_sample_chunk_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE INDEX ix_sample_chunk_chunk_id ON sample_chunk (chunk_id);
CREATE TABLE citation (
	claim_id INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	chunk_position INTEGER NOT NULL, 
	CONSTRAINT pk_citation PRIMARY KEY (claim_id, ordinal), 
	CONSTRAINT fk_citation_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE evidence (
	claim_id INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	chunk_position INTEGER NOT NULL, 
	quote TEXT NOT NULL, 
	start INTEGER, 
	"end" INTEGER, 
	occurrence INTEGER, 
	CONSTRAINT pk_evidence PRIMARY KEY (claim_id, ordinal), 
	CONSTRAINT fk_evidence_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE spot_check (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	created_by TEXT NOT NULL, 
	is_blind BOOLEAN NOT NULL, 
	reviewers_per_item INTEGER NOT NULL, 
	design JSON NOT NULL, population TEXT, 
	CONSTRAINT pk_spot_check PRIMARY KEY (id)
);
CREATE TABLE claim_review (
	claim_id INTEGER NOT NULL, 
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	verdict VARCHAR(24), 
	source VARCHAR(16) NOT NULL, 
	reviewers INTEGER NOT NULL, 
	is_inherited BOOLEAN NOT NULL, 
	has_stale BOOLEAN NOT NULL, 
	CONSTRAINT pk_claim_review PRIMARY KEY (claim_id), 
	CONSTRAINT fk_claim_review_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_claim_review_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE INDEX ix_claim_review_run ON claim_review (run_id, source);
CREATE INDEX ix_claim_review_sample_id ON claim_review (sample_id);
CREATE TABLE label (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	sample_id INTEGER NOT NULL, 
	claim_id INTEGER, 
	kind VARCHAR(16) NOT NULL, 
	verdict VARCHAR(24), 
	role VARCHAR(16) NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	note TEXT, 
	corrected_text TEXT, 
	start INTEGER, 
	"end" INTEGER, 
	occurrence INTEGER, 
	seconds DOUBLE, 
	is_blind BOOLEAN NOT NULL, 
	judge_seen BOOLEAN NOT NULL, 
	spot_check_id INTEGER, 
	inclusion_probability DOUBLE, 
	retracts INTEGER, 
	origin INTEGER, 
	is_stale BOOLEAN NOT NULL, 
	CONSTRAINT pk_label PRIMARY KEY (id), 
	CONSTRAINT fk_label_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_label_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT fk_label_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE SET NULL
);
CREATE INDEX ix_label_claim_id ON label (claim_id);
CREATE INDEX ix_label_origin ON label (origin);
CREATE INDEX ix_label_run ON label (run_id, id);
CREATE INDEX ix_label_sample_id ON label (sample_id);
CREATE INDEX ix_label_spot_check_id ON label (spot_check_id);
CREATE TABLE lease (
	item_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_lease PRIMARY KEY (item_id, reviewer), 
	CONSTRAINT fk_lease_item_id FOREIGN KEY(item_id) REFERENCES spot_check_item (id) ON DELETE CASCADE
);
CREATE INDEX ix_sample_content_hash ON sample (content_hash);
CREATE TABLE run_batch (
	run_id VARCHAR(16) NOT NULL, 
	state TEXT NOT NULL, 
	CONSTRAINT pk_run_batch PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_batch_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE INDEX ix_label_retracts ON label (retracts);
CREATE TABLE "spot_check_item" (
	id INTEGER NOT NULL, 
	spot_check_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	claim_id INTEGER NOT NULL, 
	stratum TEXT NOT NULL, 
	inclusion_probability DOUBLE NOT NULL, 
	is_open BOOLEAN NOT NULL, 
	CONSTRAINT pk_spot_check_item PRIMARY KEY (id), 
	CONSTRAINT fk_spot_check_item_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE, 
	CONSTRAINT uq_spot_check_item_spot_check_id_position UNIQUE (spot_check_id, position), 
	CONSTRAINT uq_spot_check_item_spot_check_id_claim_id UNIQUE (spot_check_id, claim_id), 
	CONSTRAINT fk_spot_check_item_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE INDEX ix_spot_check_item_claim_id ON spot_check_item (claim_id);
CREATE INDEX ix_spot_check_item_open ON spot_check_item (spot_check_id, is_open, position);
CREATE TABLE bench (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	fingerprint TEXT NOT NULL, 
	file TEXT NOT NULL, 
	document JSON NOT NULL, 
	CONSTRAINT pk_bench PRIMARY KEY (id)
);
CREATE INDEX ix_bench_fingerprint ON bench (fingerprint);
CREATE TABLE alert_rule (
	id INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	threshold DOUBLE NOT NULL, 
	segment TEXT, 
	is_active BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	created_by TEXT, 
	CONSTRAINT pk_alert_rule PRIMARY KEY (id)
);
CREATE TABLE event (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	label TEXT NOT NULL, 
	kb_version TEXT, 
	created_at DATETIME NOT NULL, 
	created_by TEXT, 
	CONSTRAINT pk_event PRIMARY KEY (id)
);
CREATE INDEX ix_event_at ON event (at);
CREATE TABLE knowledge_base (
	version TEXT NOT NULL, 
	source TEXT, 
	created_at DATETIME NOT NULL, 
	chunks INTEGER NOT NULL, 
	CONSTRAINT pk_knowledge_base PRIMARY KEY (version)
);
CREATE TABLE alert (
	id INTEGER NOT NULL, 
	rule_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	baseline_id VARCHAR(16), 
	at DATETIME NOT NULL, 
	value DOUBLE NOT NULL, 
	message TEXT NOT NULL, 
	is_acknowledged BOOLEAN NOT NULL, 
	posted_at DATETIME, 
	post_error TEXT, 
	CONSTRAINT pk_alert PRIMARY KEY (id), 
	CONSTRAINT fk_alert_rule_id FOREIGN KEY(rule_id) REFERENCES alert_rule (id) ON DELETE CASCADE, 
	CONSTRAINT fk_alert_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT uq_alert_rule_id_run_id UNIQUE (rule_id, run_id)
);
CREATE INDEX ix_alert_run_id ON alert (run_id);
CREATE TABLE comparison (
	baseline_id VARCHAR(16) NOT NULL, 
	candidate_id VARCHAR(16) NOT NULL, 
	"view" VARCHAR(16) NOT NULL, 
	stamp TEXT NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_comparison PRIMARY KEY (baseline_id, candidate_id, "view"), 
	CONSTRAINT fk_comparison_baseline_id FOREIGN KEY(baseline_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_comparison_candidate_id FOREIGN KEY(candidate_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE INDEX ix_comparison_candidate_id ON comparison (candidate_id);
CREATE TABLE kb_chunk (
	version TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	chunk_id INTEGER NOT NULL, 
	external_id TEXT NOT NULL, 
	meta JSON NOT NULL, 
	CONSTRAINT pk_kb_chunk PRIMARY KEY (version, position), 
	CONSTRAINT fk_kb_chunk_chunk_id FOREIGN KEY(chunk_id) REFERENCES chunk (id), 
	CONSTRAINT fk_kb_chunk_version FOREIGN KEY(version) REFERENCES knowledge_base (version) ON DELETE CASCADE
);
CREATE INDEX ix_kb_chunk_chunk_id ON kb_chunk (chunk_id);
CREATE TABLE pair_choice (
	id INTEGER NOT NULL, 
	baseline_id VARCHAR(16) NOT NULL, 
	candidate_id VARCHAR(16) NOT NULL, 
	baseline_row INTEGER NOT NULL, 
	candidate_row INTEGER NOT NULL, 
	baseline_claim INTEGER, 
	candidate_claim INTEGER, 
	belong_together BOOLEAN NOT NULL, 
	decided_by TEXT, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_pair_choice PRIMARY KEY (id), 
	CONSTRAINT fk_pair_choice_baseline_id FOREIGN KEY(baseline_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_pair_choice_candidate_id FOREIGN KEY(candidate_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE INDEX ix_pair_choice_candidate_id ON pair_choice (candidate_id);
CREATE INDEX ix_pair_choice_runs ON pair_choice (baseline_id, candidate_id);
CREATE TABLE "sample_review" (
	sample_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	faithfulness DOUBLE, 
	faithfulness_weighted DOUBLE, 
	is_faithful BOOLEAN, 
	claims INTEGER NOT NULL, 
	supported INTEGER NOT NULL, 
	partially_supported INTEGER NOT NULL, 
	not_mentioned INTEGER NOT NULL, 
	contradicted INTEGER NOT NULL, 
	labelled INTEGER NOT NULL, worst_harm DOUBLE, 
	CONSTRAINT pk_sample_review PRIMARY KEY (sample_id), 
	CONSTRAINT fk_sample_review_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE INDEX ix_sample_review_run ON sample_review (run_id);
CREATE TABLE "run" (
	id VARCHAR(16) NOT NULL, 
	name TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	judge TEXT NOT NULL, 
	method TEXT NOT NULL, 
	judge_options JSON NOT NULL, 
	fingerprint TEXT NOT NULL, 
	threshold DOUBLE NOT NULL, 
	kb_version TEXT, 
	source TEXT, 
	created_at DATETIME NOT NULL, 
	as_of DATETIME NOT NULL, 
	finished_at DATETIME, 
	heartbeat_at DATETIME, 
	worker TEXT, 
	cancel_requested BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	error TEXT, 
	rows INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	summary JSON, 
	summary_revision INTEGER, 
	repeat_of VARCHAR(16), 
	use_cache BOOLEAN, 
	rows_left_out INTEGER, 
	series TEXT NOT NULL, archived_at DATETIME, note TEXT, texts_deleted_at DATETIME, 
	CONSTRAINT pk_run PRIMARY KEY (id)
);
CREATE INDEX ix_run_name ON run (name);
CREATE INDEX ix_run_repeat_of ON run (repeat_of);
CREATE INDEX ix_run_as_of ON run (as_of);
CREATE INDEX ix_run_series ON run (series);
CREATE TABLE reveal (
	claim_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_reveal PRIMARY KEY (claim_id, reviewer), 
	CONSTRAINT fk_reveal_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE TABLE listed_claim (
	spot_check_id INTEGER NOT NULL, 
	claim_id INTEGER NOT NULL, 
	CONSTRAINT pk_listed_claim PRIMARY KEY (spot_check_id, claim_id), 
	CONSTRAINT fk_listed_claim_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE, 
	CONSTRAINT fk_listed_claim_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE INDEX ix_listed_claim_claim_id ON listed_claim (claim_id);
CREATE TABLE assignment (
	spot_check_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	assigned_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_assignment PRIMARY KEY (spot_check_id, reviewer), 
	CONSTRAINT fk_assignment_spot_check_id FOREIGN KEY(spot_check_id) REFERENCES spot_check (id) ON DELETE CASCADE
);
CREATE TABLE seen_answer (
	sample_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_seen_answer PRIMARY KEY (sample_id, reviewer), 
	CONSTRAINT fk_seen_answer_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE
);
CREATE TABLE note (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	sample_id INTEGER NOT NULL, 
	claim_id INTEGER NOT NULL, 
	author TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_note PRIMARY KEY (id), 
	CONSTRAINT fk_note_sample_id FOREIGN KEY(sample_id) REFERENCES sample (id) ON DELETE CASCADE, 
	CONSTRAINT fk_note_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE INDEX ix_note_run_id ON note (run_id);
CREATE INDEX ix_note_sample_id ON note (sample_id);
CREATE INDEX ix_note_claim_id ON note (claim_id);
CREATE INDEX ix_result_harm ON result (run_id, worst_harm, faithfulness, position);
CREATE TABLE claim_text (
	id INTEGER NOT NULL, 
	claim_hash VARCHAR(64) NOT NULL, 
	words TEXT NOT NULL, 
	CONSTRAINT pk_claim_text PRIMARY KEY (id), 
	CONSTRAINT uq_claim_text_claim_hash UNIQUE (claim_hash)
);
CREATE VIRTUAL TABLE claim_words USING fts5(words, content='claim_text', content_rowid='id', tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
CREATE TABLE inbox_claim (
	claim_id INTEGER NOT NULL, 
	text_id INTEGER NOT NULL, 
	run_id VARCHAR(16) NOT NULL, 
	segment TEXT, 
	document TEXT, 
	verdict SMALLINT NOT NULL, 
	error_type SMALLINT NOT NULL, 
	label_state SMALLINT NOT NULL, 
	harm DOUBLE NOT NULL, 
	CONSTRAINT pk_inbox_claim PRIMARY KEY (claim_id), 
	CONSTRAINT fk_inbox_claim_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE, 
	CONSTRAINT fk_inbox_claim_text_id FOREIGN KEY(text_id) REFERENCES claim_text (id)
);
CREATE INDEX ix_inbox_claim_text ON inbox_claim (text_id, verdict, run_id, error_type, label_state, segment, document, harm);
CREATE INDEX ix_inbox_claim_open ON inbox_claim (text_id, verdict, run_id, error_type, label_state, segment, document, harm) WHERE verdict > 0;
CREATE TABLE inbox_assignment (
	claim_id INTEGER NOT NULL, 
	reviewer TEXT NOT NULL, 
	assigned_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_inbox_assignment PRIMARY KEY (claim_id), 
	CONSTRAINT fk_inbox_assignment_claim_id FOREIGN KEY(claim_id) REFERENCES claim (id) ON DELETE CASCADE
);
CREATE INDEX ix_inbox_assignment_reviewer ON inbox_assignment (reviewer);
CREATE TABLE inbox_tab (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	filters JSON NOT NULL, 
	created_by TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_inbox_tab PRIMARY KEY (id), 
	CONSTRAINT uq_inbox_tab_name UNIQUE (name)
);
CREATE INDEX ix_inbox_claim_facets ON inbox_claim (run_id, verdict, error_type, label_state, segment, text_id);
CREATE INDEX ix_inbox_claim_document ON inbox_claim (document, run_id, verdict, error_type, label_state, segment, text_id);
CREATE TABLE logged_answer (
	id INTEGER NOT NULL, 
	application TEXT NOT NULL, 
	external_id TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	logged_at DATETIME NOT NULL, 
	question TEXT, 
	answer TEXT, 
	chunks JSON, 
	segment TEXT, 
	extra JSON, 
	fate VARCHAR(16) NOT NULL, 
	inclusion_probability DOUBLE, 
	run_id VARCHAR(16), 
	CONSTRAINT pk_logged_answer PRIMARY KEY (id), 
	CONSTRAINT uq_logged_answer_application_external_id UNIQUE (application, external_id)
);
CREATE INDEX ix_logged_answer_fate ON logged_answer (fate, application, id);
CREATE TABLE live_window (
	id INTEGER NOT NULL, 
	run_id VARCHAR(16), 
	application TEXT NOT NULL, 
	starts_at DATETIME NOT NULL, 
	ends_at DATETIME NOT NULL, 
	sample_rate DOUBLE NOT NULL, 
	judging TEXT NOT NULL, 
	logged INTEGER NOT NULL, 
	closed_at DATETIME, 
	CONSTRAINT pk_live_window PRIMARY KEY (id), 
	CONSTRAINT fk_live_window_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT uq_live_window_run_id UNIQUE (run_id)
);
CREATE INDEX ix_live_window_application ON live_window (application, starts_at);
CREATE TABLE saved_mapping (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	columns_hash VARCHAR(64) NOT NULL, 
	columns JSON NOT NULL, 
	format TEXT NOT NULL, 
	fields JSON NOT NULL, 
	saved_at DATETIME NOT NULL, 
	saved_by TEXT, 
	CONSTRAINT pk_saved_mapping PRIMARY KEY (id), 
	CONSTRAINT uq_saved_mapping_name UNIQUE (name)
);
CREATE INDEX ix_saved_mapping_columns_hash ON saved_mapping (columns_hash);
CREATE TABLE run_intake (
	run_id VARCHAR(16) NOT NULL, 
	reader TEXT NOT NULL, 
	alive_at DATETIME NOT NULL, 
	done INTEGER NOT NULL, 
	error TEXT, 
	origin JSON, dataset TEXT, 
	CONSTRAINT pk_run_intake PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_intake_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE
);
CREATE TABLE dataset (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset PRIMARY KEY (id), 
	CONSTRAINT uq_dataset_name UNIQUE (name)
);
CREATE TABLE dataset_version (
	id INTEGER NOT NULL, 
	dataset_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	rows INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_version PRIMARY KEY (id), 
	CONSTRAINT fk_dataset_version_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE, 
	CONSTRAINT uq_dataset_version_dataset_id_content_hash UNIQUE (dataset_id, content_hash), 
	CONSTRAINT uq_dataset_version_dataset_id_number UNIQUE (dataset_id, number)
);
CREATE INDEX ix_dataset_version_content_hash ON dataset_version (content_hash);
CREATE TABLE run_dataset (
	run_id VARCHAR(16) NOT NULL, 
	version_id INTEGER NOT NULL, 
	CONSTRAINT pk_run_dataset PRIMARY KEY (run_id), 
	CONSTRAINT fk_run_dataset_run_id FOREIGN KEY(run_id) REFERENCES run (id) ON DELETE CASCADE, 
	CONSTRAINT fk_run_dataset_version_id FOREIGN KEY(version_id) REFERENCES dataset_version (id)
);
CREATE INDEX ix_run_dataset_version_id ON run_dataset (version_id);
CREATE TABLE dataset_tag (
	dataset_id INTEGER NOT NULL, 
	subject VARCHAR(64) NOT NULL, 
	tag VARCHAR(100) NOT NULL, 
	added_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_tag PRIMARY KEY (dataset_id, subject, tag), 
	CONSTRAINT fk_dataset_tag_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE
);
CREATE TABLE dataset_held_out (
	dataset_id INTEGER NOT NULL, 
	subject VARCHAR(64) NOT NULL, 
	held_out_by TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_dataset_held_out PRIMARY KEY (dataset_id, subject), 
	CONSTRAINT fk_dataset_held_out_dataset_id FOREIGN KEY(dataset_id) REFERENCES dataset (id) ON DELETE CASCADE
);
CREATE INDEX ix_dataset_held_out_subject ON dataset_held_out (subject);
CREATE TABLE audit_entry (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	who TEXT NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	run_id VARCHAR(16), 
	run_name TEXT, 
	subject TEXT, 
	detail TEXT, 
	items INTEGER NOT NULL, 
	CONSTRAINT pk_audit_entry PRIMARY KEY (id)
);
CREATE INDEX ix_audit_entry_at ON audit_entry (at);
CREATE INDEX ix_audit_entry_who ON audit_entry (who, id);
CREATE INDEX ix_audit_entry_action ON audit_entry (action, id);
INSERT INTO "alembic_version" VALUES ('0020');
INSERT INTO "chunk" VALUES (1, 'ba586c29c5e62442ca80c26dd6a7c8ce6af9f5a54f5be17874c10964a86b84ac', 'ba586c29c5e62442ca80c26dd6a7c8ce6af9f5a54f5be17874c10964a86b84ac', '👩‍👧 é: Plans cost 7 euros a month. Refunds take 5 days. Support answers by mail.');
INSERT INTO "sample" VALUES (1, 'r1', 1, 'price', 'What does a plan cost?', 'A plan costs 7 euros. Refunds take 5 days. By mail. Plans cost 7 euros a month. It is blue.', NULL, '{"week": 9}', '4cc6d7c254fafb16c93d8a7d8b0e0dee3ca96df0e2153b69972addf2f8fc371a', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'ac5cb629d0b29b90526498822bc9e529d18c21d1eab1400c31598b4a6813b0ac');
INSERT INTO "sample" VALUES (2, 'r1', 2, 'refund', 'How long do refunds take?', 'REFUNDS take 5 days.', NULL, '{"week": 9}', '14253f1b86a594a15a23c6c755e27c666ea6e1a1388714256ed11334c9256d86', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'a3aaf367e362be8573c7f37766e8be858682723a0cb4ea338aa775349ee4511d');
INSERT INTO "sample" VALUES (3, 'r1', 3, 'phone', 'Is there a phone?', 'Yes, day and night.', NULL, '{"week": 9}', 'bec0e335e97fb244940a94dff4ee99b7efa8bdfe4eaa87bb3895cab1963f08f7', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'b4d0f6b425cb2446b314547195985d6d6932f02f88efc9a7844ecab0c8186d47');
INSERT INTO "sample" VALUES (4, 'r2', 1, 'price', 'What does a plan cost?', 'A plan costs 7 euros. Refunds take 5 days. By mail. Plans cost 7 euros a month. It is blue.', NULL, '{"week": 9}', '4cc6d7c254fafb16c93d8a7d8b0e0dee3ca96df0e2153b69972addf2f8fc371a', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'ac5cb629d0b29b90526498822bc9e529d18c21d1eab1400c31598b4a6813b0ac');
INSERT INTO "sample" VALUES (5, 'r2', 2, 'refund', 'How long do refunds take?', 'REFUNDS take 5 days.', NULL, '{"week": 9}', '14253f1b86a594a15a23c6c755e27c666ea6e1a1388714256ed11334c9256d86', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'a3aaf367e362be8573c7f37766e8be858682723a0cb4ea338aa775349ee4511d');
INSERT INTO "sample" VALUES (6, 'r2', 3, 'phone', 'Is there a phone?', 'Yes, day and night.', NULL, '{"week": 9}', 'bec0e335e97fb244940a94dff4ee99b7efa8bdfe4eaa87bb3895cab1963f08f7', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'b4d0f6b425cb2446b314547195985d6d6932f02f88efc9a7844ecab0c8186d47');
INSERT INTO "claim" VALUES (1, 1, 'r1', 1, 'A plan costs 7 euros.', 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', 'd90b0035a19409d45ba6d467d15cf42b56d3bde36ac265a83ac2080e6745be55', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (2, 1, 'r1', 2, 'Refunds take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (3, 1, 'r1', 3, 'By mail.', 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', '304ce588bc6c3cf98850d8063bbbd51ad57cd91e886bcf9a1c2627edf47c52b7', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (4, 1, 'r1', 4, 'Plans cost 7 euros a month.', '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', '441ba1c45fffa276010476fe1801de79dcc5ba686a4666c80163087233810591', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (5, 1, 'r1', 5, 'It is blue.', '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', 'de9bd6b92ba2d51e582fa3e300a5d5459ead7cee4e0c76b8f13aafe982ce930f', 'not_mentioned', 0.75, NULL, '', NULL, NULL, 'fabrication', 'low', NULL, '[]', NULL);
INSERT INTO "claim" VALUES (6, 2, 'r1', 1, 'REFUNDS take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (7, 3, 'r1', 1, 'Yes, day and night.', '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', 'e67b4eb4157b22ff80be1058a70e7f32e44b09c51277a95ec12c5d5abe16a3f6', 'contradicted', 0.75, NULL, '', NULL, NULL, 'conflation', 'high', 'No, by mail.', '[]', NULL);
INSERT INTO "claim" VALUES (8, 4, 'r2', 1, 'A plan costs 7 euros.', 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', 'd90b0035a19409d45ba6d467d15cf42b56d3bde36ac265a83ac2080e6745be55', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (9, 4, 'r2', 2, 'Refunds take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (10, 4, 'r2', 3, 'By mail.', 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', '304ce588bc6c3cf98850d8063bbbd51ad57cd91e886bcf9a1c2627edf47c52b7', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (11, 4, 'r2', 4, 'Plans cost 7 euros a month.', '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', '441ba1c45fffa276010476fe1801de79dcc5ba686a4666c80163087233810591', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (12, 4, 'r2', 5, 'It is blue.', '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', 'de9bd6b92ba2d51e582fa3e300a5d5459ead7cee4e0c76b8f13aafe982ce930f', 'not_mentioned', 0.75, NULL, '', NULL, NULL, 'fabrication', 'low', NULL, '[]', NULL);
INSERT INTO "claim" VALUES (13, 5, 'r2', 1, 'REFUNDS take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "claim" VALUES (14, 6, 'r2', 1, 'Yes, day and night.', '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', 'e67b4eb4157b22ff80be1058a70e7f32e44b09c51277a95ec12c5d5abe16a3f6', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO "result" VALUES (1, 'r1', 1, 'judged', 'Billing', NULL, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 0.8, 0.8, 1, NULL, 5, 4, 0, 1, 0, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.1875, 0.75, NULL);
INSERT INTO "result" VALUES (2, 'r1', 2, 'judged', 'Billing', NULL, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 1.0, 1.0, 1, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.0, 0.75, NULL);
INSERT INTO "result" VALUES (3, 'r1', 3, 'judged', 'Support', NULL, 'dd940b923ca33b6bd6f36d03c8a352a44b181ebc083b236e1fa94e8f5952baca', 0.0, 0.0, 0, NULL, 1, 0, 0, 0, 1, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 1.75, 0.75, NULL);
INSERT INTO "result" VALUES (4, 'r2', 1, 'judged', 'Billing', NULL, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 0.8, 0.8, 1, NULL, 5, 4, 0, 1, 0, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.1875, 0.75, NULL);
INSERT INTO "result" VALUES (5, 'r2', 2, 'judged', 'Billing', NULL, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 1.0, 1.0, 1, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.0, 0.75, NULL);
INSERT INTO "result" VALUES (6, 'r2', 3, 'judged', 'Support', NULL, 'dd940b923ca33b6bd6f36d03c8a352a44b181ebc083b236e1fa94e8f5952baca', 1.0, 1.0, 1, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0.0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.0, 0.75, NULL);
INSERT INTO "sample_chunk" VALUES (1, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "sample_chunk" VALUES (2, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "sample_chunk" VALUES (3, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "sample_chunk" VALUES (4, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "sample_chunk" VALUES (5, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "sample_chunk" VALUES (6, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO "citation" VALUES (1, 0, 0);
INSERT INTO "citation" VALUES (2, 0, 0);
INSERT INTO "citation" VALUES (3, 0, 0);
INSERT INTO "citation" VALUES (4, 0, 0);
INSERT INTO "citation" VALUES (6, 0, 0);
INSERT INTO "citation" VALUES (7, 0, 0);
INSERT INTO "citation" VALUES (8, 0, 0);
INSERT INTO "citation" VALUES (9, 0, 0);
INSERT INTO "citation" VALUES (10, 0, 0);
INSERT INTO "citation" VALUES (11, 0, 0);
INSERT INTO "citation" VALUES (13, 0, 0);
INSERT INTO "citation" VALUES (14, 0, 0);
INSERT INTO "evidence" VALUES (1, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO "evidence" VALUES (2, 0, 0, 'Refunds take 5 days.', 35, 55, 0);
INSERT INTO "evidence" VALUES (3, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO "evidence" VALUES (4, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO "evidence" VALUES (6, 0, 0, 'refunds: five days', NULL, NULL, NULL);
INSERT INTO "evidence" VALUES (7, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO "evidence" VALUES (8, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO "evidence" VALUES (9, 0, 0, 'Refunds take 5 days.', 35, 55, 0);
INSERT INTO "evidence" VALUES (10, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO "evidence" VALUES (11, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO "evidence" VALUES (13, 0, 0, 'refunds: five days', NULL, NULL, NULL);
INSERT INTO "evidence" VALUES (14, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO "spot_check" VALUES (1, 'March', '2026-11-24 14:53:05.535085', 'ann', 1, 1, '{"size": 4, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 1, "runs": {"r2": {"strata": [{"name": "all", "units": 7, "weight": 1.0, "judged": 0.9333333333333333}], "labels_per_unit": 1.0, "answers": 3, "judged_by_another": 0, "first": null}}}', NULL);
INSERT INTO "claim_review" VALUES (1, 1, 'r1', 'supported', 'reviewers', 1, 0, 0);
INSERT INTO "claim_review" VALUES (5, 1, 'r1', 'not_mentioned', 'disagreement', 2, 0, 0);
INSERT INTO "claim_review" VALUES (7, 3, 'r1', NULL, 'reviewers', 1, 0, 0);
INSERT INTO "claim_review" VALUES (9, 4, 'r2', 'supported', 'reviewers', 1, 0, 0);
INSERT INTO "label" VALUES (1, 'r1', 1, 5, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456', 'It is blue.', NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, 0);
INSERT INTO "label" VALUES (2, 'r1', 1, 5, 'verdict', 'not_mentioned', 'reviewer', 'bo', '2026-03-02 13:00:00.123456', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, 0);
INSERT INTO "label" VALUES (3, 'r1', 1, 1, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, 0);
INSERT INTO "label" VALUES (4, 'r1', 3, 7, 'not_a_claim', NULL, 'reviewer', 'ann', '2026-03-02 12:00:00.123456', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, 0);
INSERT INTO "label" VALUES (5, 'r1', 2, NULL, 'missed_claim', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456', NULL, 'REFUNDS', 0, 7, 0, NULL, 0, 1, NULL, NULL, NULL, NULL, 0);
INSERT INTO "label" VALUES (6, 'r2', 4, 9, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456', NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, 1, NULL, NULL, NULL, 0);
INSERT INTO "spot_check_item" VALUES (1, 1, 1, 'r2', 9, 'all', 3.99999999999999966693e-01, 0);
INSERT INTO "spot_check_item" VALUES (2, 1, 2, 'r2', 12, 'all', 3.99999999999999966693e-01, 1);
INSERT INTO "spot_check_item" VALUES (3, 1, 3, 'r2', 13, 'all', 1.0, 1);
INSERT INTO "spot_check_item" VALUES (4, 1, 4, 'r2', 14, 'all', 1.0, 1);
INSERT INTO "alert_rule" VALUES (1, 'below', 0.9, NULL, 1, '2026-11-24 14:53:05.402886', 'ann');
INSERT INTO "event" VALUES (1, '2026-03-02 12:00:00.123456', 'knowledge_base', 'New prices', 'v1', '2026-11-24 14:53:05.607563', 'ann');
INSERT INTO "knowledge_base" VALUES ('v1', 'policy.md', '2026-11-24 14:53:05.605692', 1);
INSERT INTO "alert" VALUES (1, 1, 'r1', NULL, '2026-11-24 14:53:05.455955', 0.6, 'Faithfulness of Week 9 is 0.6000, below 0.9.', 0, NULL, NULL);
INSERT INTO "comparison" VALUES ('r1', 'r2', 'judge', '7 r1=4complete r2=4complete spot-check=0 choices=0 ''v1'' ''v1'' ''v1'' 2026-11-24T14:53:05.605692+00:00', '{"baseline":{"run_id":"r1","name":"Week 9","status":"complete","judge":{"name":"lexical","method":"claims","options":{}},"fingerprint":"lexical/1","threshold":0.8,"kb_version":"v1","source":null,"created_at":"2026-03-01T12:00:00.123456Z","as_of":"2026-03-01T12:00:00.123456Z","finished_at":"2026-03-01T12:00:00.123456Z","revision":4,"seconds":0.5,"error":null,"repeat_of":null,"repeats":[],"use_cache":true,"rows_left_out":0,"series":"Help desk","archived_at":null,"texts_deleted_at":null,"note":"","live":null,"dataset":{"version_id":1,"dataset":"Week","number":1,"content_hash":"8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf","rows":3,"created_at":"2026-03-01T12:00:00.123456Z","runs":0}},"candidate":{"run_id":"r2","name":"Week 10","status":"complete","judge":{"name":"lexical","method":"claims","options":{}},"fingerprint":"lexical/1","threshold":0.8,"kb_version":"v1","source":null,"created_at":"2026-03-08T12:00:00.123456Z","as_of":"2026-03-08T12:00:00.123456Z","finished_at":"2026-03-01T12:00:00.123456Z","revision":4,"seconds":0.5,"error":null,"repeat_of":null,"repeats":[],"use_cache":true,"rows_left_out":0,"series":"Help desk","archived_at":null,"texts_deleted_at":null,"note":"","live":null,"dataset":{"version_id":1,"dataset":"Week","number":1,"content_hash":"8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf","rows":3,"created_at":"2026-03-01T12:00:00.123456Z","runs":0}},"view":"judge","cautions":[],"pairing":{"rules":{"key":3},"scored":3,"unscored":{},"key_conflicts":0,"only_in_baseline":[],"only_in_candidate":[],"suggestions":[]},"difference":{"pairs":3,"clusters":3,"baseline":0.6,"candidate":0.9333333333333332,"mean":0.3333333333333333,"interval":{"low":-0.6248902555413229,"high":1.0},"p_value":1.0,"detectable":null,"regressed":0,"improved":1,"unchanged":2},"faithful":{"lost":0,"gained":1,"lost_votes":0,"gained_votes":1,"p_value":1.0},"segments":[{"segment":"Billing","rows":2,"clusters":2,"baseline":0.9,"candidate":0.9,"difference":0.0,"interval":{"low":-0.9938441702975689,"high":0.9938441702975689},"p_value":1.0,"p_value_adjusted":1.0,"contribution":0.0,"share_of_delta":0.0},{"segment":"Support","rows":1,"clusters":1,"baseline":0.0,"candidate":1.0,"difference":1.0,"interval":null,"p_value":1.0,"p_value_adjusted":1.0,"contribution":0.3333333333333333,"share_of_delta":1.0}],"causes":[{"cause":"judge_noise","lost":0.0,"won":0.3333333333333333,"total":0.3333333333333333,"broken":0,"fixed":1,"answers":1}],"changes":[{"key":"phone","baseline_row":3,"candidate_row":3,"rule":"key","question":"Is there a phone?","segment":"Support","baseline":0.0,"candidate":1.0,"baseline_state":"judged","candidate_state":"judged","answer_changed":false,"context_changed":false,"chunks_added":[],"chunks_removed":[],"chunks_edited":[],"terms":[{"baseline":1,"candidate":1,"value":1.0,"cause":"judge_noise","flipped":true}]}],"noise":null,"corrected":null}');
INSERT INTO "kb_chunk" VALUES ('v1', 1, 1, 'policy', '{"document": "policy.md"}');
INSERT INTO "sample_review" VALUES (1, 'r1', 0.8, 0.8, 1, 5, 4, 0, 1, 0, 2, 0.1875);
INSERT INTO "sample_review" VALUES (2, 'r1', 1.0, 1.0, 1, 2, 2, 0, 0, 0, 1, 0.0);
INSERT INTO "sample_review" VALUES (3, 'r1', NULL, NULL, NULL, 0, 0, 0, 0, 0, 1, NULL);
INSERT INTO "sample_review" VALUES (4, 'r2', 0.8, 0.8, 1, 5, 4, 0, 1, 0, 1, 0.1875);
INSERT INTO "run" VALUES ('r1', 'Week 9', 'complete', 'lexical', 'claims', '{}', 'lexical/1', 0.8, 'v1', NULL, '2026-03-01 12:00:00.123456', '2026-03-01 12:00:00.123456', '2026-03-01 12:00:00.123456', '2026-03-01 12:00:00.123456', NULL, 0, 0.5, NULL, 3, 4, NULL, NULL, NULL, 1, 0, 'Help desk', NULL, NULL, NULL);
INSERT INTO "run" VALUES ('r2', 'Week 10', 'complete', 'lexical', 'claims', '{}', 'lexical/1', 0.8, 'v1', NULL, '2026-03-08 12:00:00.123456', '2026-03-08 12:00:00.123456', '2026-03-01 12:00:00.123456', '2026-03-01 12:00:00.123456', NULL, 0, 0.5, NULL, 3, 4, NULL, NULL, NULL, 1, 0, 'Help desk', NULL, NULL, NULL);
INSERT INTO "assignment" VALUES (1, 'bo', 'ann', '2026-11-24 14:53:05.561465');
INSERT INTO "note" VALUES (1, 'r1', 3, 7, 'bo', '2026-03-02 12:00:00.123456', 'Ask the help desk.');
INSERT INTO "claim_text" VALUES (1, '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', 'it is blue');
INSERT INTO "claim_text" VALUES (2, '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', 'yes day and night');
INSERT INTO "claim_text" VALUES (3, '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', 'plan cost 7 euro a month');
INSERT INTO "claim_text" VALUES (4, '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', 'refund take 5 day');
INSERT INTO "claim_text" VALUES (5, 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', 'by mail');
INSERT INTO "claim_text" VALUES (6, 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', 'a plan cost 7 euro');
INSERT INTO "inbox_claim" VALUES (1, 6, 'r1', 'Billing', 'policy.md', 0, 0, 1, 0.0);
INSERT INTO "inbox_claim" VALUES (2, 4, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (3, 5, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (4, 3, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (5, 1, 'r1', 'Billing', NULL, 2, 1, 3, 0.1875);
INSERT INTO "inbox_claim" VALUES (6, 4, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (7, 2, 'r1', 'Support', 'policy.md', -1, 4, 2, 0.0);
INSERT INTO "inbox_claim" VALUES (8, 6, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (9, 4, 'r2', 'Billing', 'policy.md', 0, 0, 1, 0.0);
INSERT INTO "inbox_claim" VALUES (10, 5, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (11, 3, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (12, 1, 'r2', 'Billing', NULL, 2, 1, 0, 0.1875);
INSERT INTO "inbox_claim" VALUES (13, 4, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_claim" VALUES (14, 2, 'r2', 'Support', 'policy.md', 0, 0, 0, 0.0);
INSERT INTO "inbox_assignment" VALUES (5, 'bo', 'ann', '2026-11-24 14:53:05.589612');
INSERT INTO "inbox_assignment" VALUES (12, 'bo', 'ann', '2026-11-24 14:53:05.589612');
INSERT INTO "inbox_tab" VALUES (1, 'Open', '{"words": "blue", "verdict": ["not_mentioned"]}', 'ann', '2026-11-24 14:53:05.604838');
INSERT INTO "logged_answer" VALUES (1, 'default', '5a0b0eb1eab144b1852c8580459c9222', '2026-11-24 14:53:06.187500', '2026-11-24 14:53:06.187500', 'How?', 'So.', '[["1", "c", 1, null, {}]]', NULL, '{}', 'waiting', NULL, NULL);
INSERT INTO "dataset" VALUES (1, 'Week', '2026-03-01 12:00:00.123456');
INSERT INTO "dataset_version" VALUES (1, 1, 1, '8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf', 3, '2026-03-01 12:00:00.123456');
INSERT INTO "run_dataset" VALUES ('r1', 1);
INSERT INTO "run_dataset" VALUES ('r2', 1);
INSERT INTO "dataset_tag" VALUES (1, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 'prices', 'ann', '2026-11-24 14:53:06.183765');
INSERT INTO "dataset_held_out" VALUES (1, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 'ann', '2026-11-24 14:53:06.185450');
INSERT INTO "audit_entry" VALUES (1, '2026-11-24 14:53:05.405446', 'local', 'trend.rule_added', NULL, NULL, '1', 'below 0.9', 1);
INSERT INTO "audit_entry" VALUES (2, '2026-11-24 14:53:05.409101', 'local', 'run.started', 'r1', 'Week 9', NULL, 'lexical', 3);
INSERT INTO "audit_entry" VALUES (3, '2026-11-24 14:53:05.460204', 'local', 'run.started', 'r2', 'Week 10', NULL, 'lexical', 3);
INSERT INTO "audit_entry" VALUES (4, '2026-11-24 14:53:05.484647', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-5', 'supported', 1);
INSERT INTO "audit_entry" VALUES (5, '2026-11-24 14:53:05.500169', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-5', 'not_mentioned', 1);
INSERT INTO "audit_entry" VALUES (6, '2026-11-24 14:53:05.504114', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-1', 'supported', 1);
INSERT INTO "audit_entry" VALUES (7, '2026-11-24 14:53:05.510027', 'local', 'label.given', 'r1', 'Week 9', 'r1-3-1', 'not_a_claim', 1);
INSERT INTO "audit_entry" VALUES (8, '2026-11-24 14:53:05.524199', 'local', 'label.given', 'r1', 'Week 9', NULL, 'supported', 1);
INSERT INTO "audit_entry" VALUES (9, '2026-11-24 14:53:05.537017', 'local', 'spot_check.drawn', 'r2', 'Week 10', 'March', NULL, 4);
INSERT INTO "audit_entry" VALUES (10, '2026-11-24 14:53:05.558677', 'local', 'label.given', 'r2', 'Week 10', 'r2-1-2', 'blind', 1);
INSERT INTO "audit_entry" VALUES (11, '2026-11-24 14:53:05.563987', 'local', 'spot_check.assigned', NULL, NULL, 'March', 'bo', 1);
INSERT INTO "audit_entry" VALUES (12, '2026-11-24 14:53:05.570128', 'local', 'label.noted', 'r1', 'Week 9', 'r1-3-1', NULL, 1);
INSERT INTO "audit_entry" VALUES (13, '2026-11-24 14:53:05.603833', 'local', 'label.assigned', NULL, NULL, NULL, 'bo', 2);
INSERT INTO "audit_entry" VALUES (14, '2026-11-24 14:53:05.605384', 'local', 'saved.tab_saved', NULL, NULL, 'Open', NULL, 1);
INSERT INTO "audit_entry" VALUES (15, '2026-11-24 14:53:05.607254', 'local', 'knowledge.saved', NULL, NULL, 'v1', NULL, 1);
INSERT INTO "audit_entry" VALUES (16, '2026-11-24 14:53:05.607649', 'local', 'trend.event_added', NULL, NULL, 'New prices', '2026-03-02T12:00:00.123456+00:00', 1);
INSERT INTO "audit_entry" VALUES (17, '2026-11-24 14:53:06.185061', 'local', 'dataset.tagged', NULL, NULL, 'Week', 'prices', 1);
INSERT INTO "audit_entry" VALUES (18, '2026-11-24 14:53:06.187152', 'local', 'dataset.held_out', NULL, NULL, 'Week', NULL, 1);
INSERT INTO claim_words(claim_words) VALUES ('rebuild');
CREATE TRIGGER claim_words_added AFTER INSERT ON claim_text BEGIN INSERT INTO claim_words(rowid, words) VALUES (new.id, new.words); END;
CREATE TRIGGER claim_words_removed AFTER DELETE ON claim_text BEGIN INSERT INTO claim_words(claim_words, rowid, words) VALUES ('delete', old.id, old.words); END;
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'rows of the audit log are never changed or deleted'); END;
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry BEGIN SELECT RAISE(ABORT, 'rows of the audit log are never changed or deleted'); END;
