CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'rows of the audit log are never changed or deleted'; END $$;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.alert (
    id integer NOT NULL,
    rule_id integer CONSTRAINT alert_rule_id_not_null1 NOT NULL,
    run_id character varying(16) NOT NULL,
    baseline_id character varying(16),
    at timestamp with time zone NOT NULL,
    value double precision NOT NULL,
    message text NOT NULL,
    is_acknowledged boolean NOT NULL,
    posted_at timestamp with time zone,
    post_error text
);
CREATE SEQUENCE public.alert_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_id_seq OWNED BY public.alert.id;
CREATE TABLE public.alert_rule (
    id integer NOT NULL,
    kind character varying(16) NOT NULL,
    threshold double precision NOT NULL,
    segment text,
    is_active boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text
);
CREATE SEQUENCE public.alert_rule_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.alert_rule_id_seq OWNED BY public.alert_rule.id;
CREATE TABLE public.assignment (
    spot_check_id integer NOT NULL,
    reviewer text NOT NULL,
    assigned_by text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.audit_entry (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    who text NOT NULL,
    action character varying(32) NOT NULL,
    run_id character varying(16),
    run_name text,
    subject text,
    detail text,
    items integer NOT NULL
);
CREATE SEQUENCE public.audit_entry_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_entry_id_seq OWNED BY public.audit_entry.id;
CREATE TABLE public.bench (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    fingerprint text NOT NULL,
    file text NOT NULL,
    document json NOT NULL
);
CREATE SEQUENCE public.bench_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.bench_id_seq OWNED BY public.bench.id;
CREATE TABLE public.chunk (
    id integer NOT NULL,
    text_hash character varying(64) NOT NULL,
    chunk_hash character varying(64) NOT NULL,
    text text NOT NULL
);
CREATE SEQUENCE public.chunk_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.chunk_id_seq OWNED BY public.chunk.id;
CREATE TABLE public.citation (
    claim_id integer NOT NULL,
    ordinal integer NOT NULL,
    chunk_position integer NOT NULL
);
CREATE TABLE public.claim (
    id integer NOT NULL,
    sample_id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    claim_hash character varying(64) NOT NULL,
    evidence_hash character varying(64) NOT NULL,
    verdict character varying(24) NOT NULL,
    confidence double precision,
    support_score double precision,
    explanation text NOT NULL,
    claim_type character varying(16),
    importance character varying(16),
    hallucination_type character varying(16),
    severity character varying(16),
    correction text,
    spans json NOT NULL,
    mismatches json
);
CREATE SEQUENCE public.claim_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.claim_id_seq OWNED BY public.claim.id;
CREATE TABLE public.claim_review (
    claim_id integer NOT NULL,
    sample_id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    verdict character varying(24),
    source character varying(16) NOT NULL,
    reviewers integer NOT NULL,
    is_inherited boolean NOT NULL,
    has_stale boolean NOT NULL
);
CREATE TABLE public.claim_text (
    id integer NOT NULL,
    claim_hash character varying(64) NOT NULL,
    words tsvector NOT NULL
);
CREATE SEQUENCE public.claim_text_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.claim_text_id_seq OWNED BY public.claim_text.id;
CREATE TABLE public.comparison (
    baseline_id character varying(16) NOT NULL,
    candidate_id character varying(16) NOT NULL,
    view character varying(16) NOT NULL,
    stamp text NOT NULL,
    document text NOT NULL
);
CREATE TABLE public.dataset (
    id integer NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.dataset_held_out (
    dataset_id integer NOT NULL,
    subject character varying(64) NOT NULL,
    held_out_by text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.dataset_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.dataset_id_seq OWNED BY public.dataset.id;
CREATE TABLE public.dataset_tag (
    dataset_id integer NOT NULL,
    subject character varying(64) NOT NULL,
    tag character varying(100) NOT NULL,
    added_by text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.dataset_version (
    id integer NOT NULL,
    dataset_id integer NOT NULL,
    number integer NOT NULL,
    content_hash character varying(64) NOT NULL,
    rows integer NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.dataset_version_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.dataset_version_id_seq OWNED BY public.dataset_version.id;
CREATE TABLE public.event (
    id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    kind character varying(16) NOT NULL,
    label text NOT NULL,
    kb_version text,
    created_at timestamp with time zone NOT NULL,
    created_by text
);
CREATE SEQUENCE public.event_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.event_id_seq OWNED BY public.event.id;
CREATE TABLE public.evidence (
    claim_id integer NOT NULL,
    ordinal integer NOT NULL,
    chunk_position integer NOT NULL,
    quote text NOT NULL,
    start integer,
    "end" integer,
    occurrence integer
);
CREATE TABLE public.inbox_assignment (
    claim_id integer NOT NULL,
    reviewer text NOT NULL,
    assigned_by text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.inbox_claim (
    claim_id integer NOT NULL,
    text_id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    segment text,
    document text,
    verdict smallint NOT NULL,
    error_type smallint NOT NULL,
    label_state smallint NOT NULL,
    harm double precision NOT NULL
);
CREATE TABLE public.inbox_tab (
    id integer NOT NULL,
    name text NOT NULL,
    filters json NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.inbox_tab_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.inbox_tab_id_seq OWNED BY public.inbox_tab.id;
CREATE TABLE public.kb_chunk (
    version text NOT NULL,
    "position" integer NOT NULL,
    chunk_id integer NOT NULL,
    external_id text NOT NULL,
    meta json NOT NULL
);
CREATE TABLE public.knowledge_base (
    version text NOT NULL,
    source text,
    created_at timestamp with time zone NOT NULL,
    chunks integer NOT NULL
);
CREATE TABLE public.label (
    id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    sample_id integer NOT NULL,
    claim_id integer,
    kind character varying(16) NOT NULL,
    verdict character varying(24),
    role character varying(16) NOT NULL,
    reviewer text NOT NULL,
    at timestamp with time zone NOT NULL,
    note text,
    corrected_text text,
    start integer,
    "end" integer,
    occurrence integer,
    seconds double precision,
    is_blind boolean NOT NULL,
    judge_seen boolean NOT NULL,
    spot_check_id integer,
    inclusion_probability double precision,
    retracts integer,
    origin integer,
    is_stale boolean NOT NULL
);
CREATE SEQUENCE public.label_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.label_id_seq OWNED BY public.label.id;
CREATE TABLE public.lease (
    item_id integer NOT NULL,
    reviewer text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.listed_claim (
    spot_check_id integer NOT NULL,
    claim_id integer NOT NULL
);
CREATE TABLE public.live_window (
    id integer NOT NULL,
    run_id character varying(16),
    application text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    sample_rate double precision NOT NULL,
    judging text NOT NULL,
    logged integer NOT NULL,
    closed_at timestamp with time zone
);
CREATE SEQUENCE public.live_window_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.live_window_id_seq OWNED BY public.live_window.id;
CREATE TABLE public.logged_answer (
    id integer NOT NULL,
    application text NOT NULL,
    external_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    logged_at timestamp with time zone NOT NULL,
    question text,
    answer text,
    chunks json,
    segment text,
    extra json,
    fate character varying(16) NOT NULL,
    inclusion_probability double precision,
    run_id character varying(16)
);
CREATE SEQUENCE public.logged_answer_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.logged_answer_id_seq OWNED BY public.logged_answer.id;
CREATE TABLE public.note (
    id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    sample_id integer NOT NULL,
    claim_id integer NOT NULL,
    author text NOT NULL,
    at timestamp with time zone NOT NULL,
    text text NOT NULL
);
CREATE SEQUENCE public.note_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.note_id_seq OWNED BY public.note.id;
CREATE TABLE public.pair_choice (
    id integer NOT NULL,
    baseline_id character varying(16) NOT NULL,
    candidate_id character varying(16) NOT NULL,
    baseline_row integer NOT NULL,
    candidate_row integer NOT NULL,
    baseline_claim integer,
    candidate_claim integer,
    belong_together boolean NOT NULL,
    decided_by text,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.pair_choice_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pair_choice_id_seq OWNED BY public.pair_choice.id;
CREATE TABLE public.result (
    sample_id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    "position" integer NOT NULL,
    state character varying(16) NOT NULL,
    segment text,
    "timestamp" timestamp with time zone,
    cluster character varying(64) NOT NULL,
    faithfulness double precision,
    faithfulness_weighted double precision,
    is_faithful boolean,
    answer_score double precision,
    claims integer NOT NULL,
    supported integer NOT NULL,
    partially_supported integer NOT NULL,
    not_mentioned integer NOT NULL,
    contradicted integer NOT NULL,
    error text,
    suggestions json NOT NULL,
    seconds double precision NOT NULL,
    llm_calls integer NOT NULL,
    cached_calls integer NOT NULL,
    prompt_tokens integer NOT NULL,
    completion_tokens integer NOT NULL,
    cost_usd double precision,
    raw_reply text,
    metrics json,
    warnings json,
    cached_prompt_tokens integer,
    worst_harm double precision,
    least_confidence double precision,
    inclusion_probability double precision
);
CREATE TABLE public.reveal (
    claim_id integer NOT NULL,
    reviewer text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.run (
    id character varying(16) NOT NULL,
    name text NOT NULL,
    status character varying(16) NOT NULL,
    judge text NOT NULL,
    method text NOT NULL,
    judge_options json NOT NULL,
    fingerprint text NOT NULL,
    threshold double precision NOT NULL,
    kb_version text,
    source text,
    created_at timestamp with time zone NOT NULL,
    as_of timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    heartbeat_at timestamp with time zone,
    worker text,
    cancel_requested boolean NOT NULL,
    seconds double precision NOT NULL,
    error text,
    rows integer NOT NULL,
    revision integer NOT NULL,
    summary json,
    summary_revision integer,
    repeat_of character varying(16),
    use_cache boolean,
    rows_left_out integer,
    series text NOT NULL,
    archived_at timestamp with time zone,
    note text,
    texts_deleted_at timestamp with time zone
);
CREATE TABLE public.run_batch (
    run_id character varying(16) NOT NULL,
    state text NOT NULL
);
CREATE TABLE public.run_dataset (
    run_id character varying(16) NOT NULL,
    version_id integer NOT NULL
);
CREATE TABLE public.run_intake (
    run_id character varying(16) NOT NULL,
    reader text NOT NULL,
    alive_at timestamp with time zone NOT NULL,
    done integer NOT NULL,
    error text,
    origin json,
    dataset text
);
CREATE TABLE public.sample (
    id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    "position" integer NOT NULL,
    key text NOT NULL,
    question text,
    answer text NOT NULL,
    reference text,
    extra json NOT NULL,
    sample_hash character varying(64) NOT NULL,
    context_hash character varying(64) NOT NULL,
    content_hash character varying(64)
);
CREATE TABLE public.sample_chunk (
    sample_id integer NOT NULL,
    "position" integer NOT NULL,
    chunk_id integer NOT NULL,
    external_id text NOT NULL,
    rank integer NOT NULL,
    score double precision,
    meta json NOT NULL
);
CREATE SEQUENCE public.sample_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.sample_id_seq OWNED BY public.sample.id;
CREATE TABLE public.sample_review (
    sample_id integer NOT NULL,
    run_id character varying(16) NOT NULL,
    faithfulness double precision,
    faithfulness_weighted double precision,
    is_faithful boolean,
    claims integer NOT NULL,
    supported integer NOT NULL,
    partially_supported integer NOT NULL,
    not_mentioned integer NOT NULL,
    contradicted integer NOT NULL,
    labelled integer NOT NULL,
    worst_harm double precision
);
CREATE TABLE public.saved_mapping (
    id integer NOT NULL,
    name text NOT NULL,
    columns_hash character varying(64) NOT NULL,
    columns json NOT NULL,
    format text NOT NULL,
    fields json NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    saved_by text
);
CREATE SEQUENCE public.saved_mapping_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.saved_mapping_id_seq OWNED BY public.saved_mapping.id;
CREATE TABLE public.seen_answer (
    sample_id integer NOT NULL,
    reviewer text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.spot_check (
    id integer NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL,
    is_blind boolean NOT NULL,
    reviewers_per_item integer NOT NULL,
    design json NOT NULL,
    population text
);
CREATE SEQUENCE public.spot_check_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.spot_check_id_seq OWNED BY public.spot_check.id;
CREATE TABLE public.spot_check_item (
    id integer NOT NULL,
    spot_check_id integer NOT NULL,
    "position" integer NOT NULL,
    run_id character varying(16) NOT NULL,
    claim_id integer NOT NULL,
    stratum text NOT NULL,
    inclusion_probability double precision NOT NULL,
    is_open boolean NOT NULL
);
CREATE SEQUENCE public.spot_check_item_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.spot_check_item_id_seq OWNED BY public.spot_check_item.id;
ALTER TABLE ONLY public.alert ALTER COLUMN id SET DEFAULT nextval('public.alert_id_seq'::regclass);
ALTER TABLE ONLY public.alert_rule ALTER COLUMN id SET DEFAULT nextval('public.alert_rule_id_seq'::regclass);
ALTER TABLE ONLY public.audit_entry ALTER COLUMN id SET DEFAULT nextval('public.audit_entry_id_seq'::regclass);
ALTER TABLE ONLY public.bench ALTER COLUMN id SET DEFAULT nextval('public.bench_id_seq'::regclass);
ALTER TABLE ONLY public.chunk ALTER COLUMN id SET DEFAULT nextval('public.chunk_id_seq'::regclass);
ALTER TABLE ONLY public.claim ALTER COLUMN id SET DEFAULT nextval('public.claim_id_seq'::regclass);
ALTER TABLE ONLY public.claim_text ALTER COLUMN id SET DEFAULT nextval('public.claim_text_id_seq'::regclass);
ALTER TABLE ONLY public.dataset ALTER COLUMN id SET DEFAULT nextval('public.dataset_id_seq'::regclass);
ALTER TABLE ONLY public.dataset_version ALTER COLUMN id SET DEFAULT nextval('public.dataset_version_id_seq'::regclass);
ALTER TABLE ONLY public.event ALTER COLUMN id SET DEFAULT nextval('public.event_id_seq'::regclass);
ALTER TABLE ONLY public.inbox_tab ALTER COLUMN id SET DEFAULT nextval('public.inbox_tab_id_seq'::regclass);
ALTER TABLE ONLY public.label ALTER COLUMN id SET DEFAULT nextval('public.label_id_seq'::regclass);
ALTER TABLE ONLY public.live_window ALTER COLUMN id SET DEFAULT nextval('public.live_window_id_seq'::regclass);
ALTER TABLE ONLY public.logged_answer ALTER COLUMN id SET DEFAULT nextval('public.logged_answer_id_seq'::regclass);
ALTER TABLE ONLY public.note ALTER COLUMN id SET DEFAULT nextval('public.note_id_seq'::regclass);
ALTER TABLE ONLY public.pair_choice ALTER COLUMN id SET DEFAULT nextval('public.pair_choice_id_seq'::regclass);
ALTER TABLE ONLY public.sample ALTER COLUMN id SET DEFAULT nextval('public.sample_id_seq'::regclass);
ALTER TABLE ONLY public.saved_mapping ALTER COLUMN id SET DEFAULT nextval('public.saved_mapping_id_seq'::regclass);
ALTER TABLE ONLY public.spot_check ALTER COLUMN id SET DEFAULT nextval('public.spot_check_id_seq'::regclass);
ALTER TABLE ONLY public.spot_check_item ALTER COLUMN id SET DEFAULT nextval('public.spot_check_item_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0020');
INSERT INTO public.alert VALUES (1, 1, 'r1', NULL, '2026-11-24 14:53:09.494917+00', 0.6, 'Faithfulness of Week 9 is 0.6000, below 0.9.', false, NULL, NULL);
INSERT INTO public.alert_rule VALUES (1, 'below', 0.9, NULL, true, '2026-11-24 14:53:09.420256+00', 'ann');
INSERT INTO public.assignment VALUES (1, 'bo', 'ann', '2026-11-24 14:53:09.650538+00');
INSERT INTO public.audit_entry VALUES (1, '2026-11-24 14:53:09.425522+00', 'local', 'trend.rule_added', NULL, NULL, '1', 'below 0.9', 1);
INSERT INTO public.audit_entry VALUES (2, '2026-11-24 14:53:09.430244+00', 'local', 'run.started', 'r1', 'Week 9', NULL, 'lexical', 3);
INSERT INTO public.audit_entry VALUES (3, '2026-11-24 14:53:09.502136+00', 'local', 'run.started', 'r2', 'Week 10', NULL, 'lexical', 3);
INSERT INTO public.audit_entry VALUES (4, '2026-11-24 14:53:09.538246+00', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-5', 'supported', 1);
INSERT INTO public.audit_entry VALUES (5, '2026-11-24 14:53:09.554925+00', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-5', 'not_mentioned', 1);
INSERT INTO public.audit_entry VALUES (6, '2026-11-24 14:53:09.569409+00', 'local', 'label.given', 'r1', 'Week 9', 'r1-1-1', 'supported', 1);
INSERT INTO public.audit_entry VALUES (7, '2026-11-24 14:53:09.583232+00', 'local', 'label.given', 'r1', 'Week 9', 'r1-3-1', 'not_a_claim', 1);
INSERT INTO public.audit_entry VALUES (8, '2026-11-24 14:53:09.601976+00', 'local', 'label.given', 'r1', 'Week 9', NULL, 'supported', 1);
INSERT INTO public.audit_entry VALUES (9, '2026-11-24 14:53:09.62679+00', 'local', 'spot_check.drawn', 'r2', 'Week 10', 'March', NULL, 4);
INSERT INTO public.audit_entry VALUES (10, '2026-11-24 14:53:09.643103+00', 'local', 'label.given', 'r2', 'Week 10', 'r2-1-2', 'blind', 1);
INSERT INTO public.audit_entry VALUES (11, '2026-11-24 14:53:09.651418+00', 'local', 'spot_check.assigned', NULL, NULL, 'March', 'bo', 1);
INSERT INTO public.audit_entry VALUES (12, '2026-11-24 14:53:09.656343+00', 'local', 'label.noted', 'r1', 'Week 9', 'r1-3-1', NULL, 1);
INSERT INTO public.audit_entry VALUES (13, '2026-11-24 14:53:09.689283+00', 'local', 'label.assigned', NULL, NULL, NULL, 'bo', 2);
INSERT INTO public.audit_entry VALUES (14, '2026-11-24 14:53:09.692255+00', 'local', 'saved.tab_saved', NULL, NULL, 'Open', NULL, 1);
INSERT INTO public.audit_entry VALUES (15, '2026-11-24 14:53:09.695915+00', 'local', 'knowledge.saved', NULL, NULL, 'v1', NULL, 1);
INSERT INTO public.audit_entry VALUES (16, '2026-11-24 14:53:09.696559+00', 'local', 'trend.event_added', NULL, NULL, 'New prices', '2026-03-02T12:00:00.123456+00:00', 1);
INSERT INTO public.audit_entry VALUES (17, '2026-11-24 14:53:09.754351+00', 'local', 'dataset.tagged', NULL, NULL, 'Week', 'prices', 1);
INSERT INTO public.audit_entry VALUES (18, '2026-11-24 14:53:09.757639+00', 'local', 'dataset.held_out', NULL, NULL, 'Week', NULL, 1);
INSERT INTO public.chunk VALUES (1, 'ba586c29c5e62442ca80c26dd6a7c8ce6af9f5a54f5be17874c10964a86b84ac', 'ba586c29c5e62442ca80c26dd6a7c8ce6af9f5a54f5be17874c10964a86b84ac', '👩‍👧 é: Plans cost 7 euros a month. Refunds take 5 days. Support answers by mail.');
INSERT INTO public.citation VALUES (1, 0, 0);
INSERT INTO public.citation VALUES (2, 0, 0);
INSERT INTO public.citation VALUES (3, 0, 0);
INSERT INTO public.citation VALUES (4, 0, 0);
INSERT INTO public.citation VALUES (6, 0, 0);
INSERT INTO public.citation VALUES (7, 0, 0);
INSERT INTO public.citation VALUES (8, 0, 0);
INSERT INTO public.citation VALUES (9, 0, 0);
INSERT INTO public.citation VALUES (10, 0, 0);
INSERT INTO public.citation VALUES (11, 0, 0);
INSERT INTO public.citation VALUES (13, 0, 0);
INSERT INTO public.citation VALUES (14, 0, 0);
INSERT INTO public.claim VALUES (1, 1, 'r1', 1, 'A plan costs 7 euros.', 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', 'd90b0035a19409d45ba6d467d15cf42b56d3bde36ac265a83ac2080e6745be55', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (2, 1, 'r1', 2, 'Refunds take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (3, 1, 'r1', 3, 'By mail.', 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', '304ce588bc6c3cf98850d8063bbbd51ad57cd91e886bcf9a1c2627edf47c52b7', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (4, 1, 'r1', 4, 'Plans cost 7 euros a month.', '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', '441ba1c45fffa276010476fe1801de79dcc5ba686a4666c80163087233810591', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (5, 1, 'r1', 5, 'It is blue.', '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', 'de9bd6b92ba2d51e582fa3e300a5d5459ead7cee4e0c76b8f13aafe982ce930f', 'not_mentioned', 0.75, NULL, '', NULL, NULL, 'fabrication', 'low', NULL, '[]', NULL);
INSERT INTO public.claim VALUES (6, 2, 'r1', 1, 'REFUNDS take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (7, 3, 'r1', 1, 'Yes, day and night.', '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', 'e67b4eb4157b22ff80be1058a70e7f32e44b09c51277a95ec12c5d5abe16a3f6', 'contradicted', 0.75, NULL, '', NULL, NULL, 'conflation', 'high', 'No, by mail.', '[]', NULL);
INSERT INTO public.claim VALUES (8, 4, 'r2', 1, 'A plan costs 7 euros.', 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', 'd90b0035a19409d45ba6d467d15cf42b56d3bde36ac265a83ac2080e6745be55', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (9, 4, 'r2', 2, 'Refunds take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (10, 4, 'r2', 3, 'By mail.', 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', '304ce588bc6c3cf98850d8063bbbd51ad57cd91e886bcf9a1c2627edf47c52b7', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (11, 4, 'r2', 4, 'Plans cost 7 euros a month.', '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', '441ba1c45fffa276010476fe1801de79dcc5ba686a4666c80163087233810591', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (12, 4, 'r2', 5, 'It is blue.', '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', 'de9bd6b92ba2d51e582fa3e300a5d5459ead7cee4e0c76b8f13aafe982ce930f', 'not_mentioned', 0.75, NULL, '', NULL, NULL, 'fabrication', 'low', NULL, '[]', NULL);
INSERT INTO public.claim VALUES (13, 5, 'r2', 1, 'REFUNDS take 5 days.', '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '96d59e75355f3da9ebfbf289dbf233f2194ceabc380521aaf988feed21658188', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim VALUES (14, 6, 'r2', 1, 'Yes, day and night.', '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', 'e67b4eb4157b22ff80be1058a70e7f32e44b09c51277a95ec12c5d5abe16a3f6', 'supported', 0.75, NULL, '', NULL, NULL, NULL, NULL, NULL, '[]', NULL);
INSERT INTO public.claim_review VALUES (1, 1, 'r1', 'supported', 'reviewers', 1, false, false);
INSERT INTO public.claim_review VALUES (5, 1, 'r1', 'not_mentioned', 'disagreement', 2, false, false);
INSERT INTO public.claim_review VALUES (7, 3, 'r1', NULL, 'reviewers', 1, false, false);
INSERT INTO public.claim_review VALUES (9, 4, 'r2', 'supported', 'reviewers', 1, false, false);
INSERT INTO public.claim_text VALUES (1, '2ba52fe8b3a60e2dff3278c3f481b051e486e2dd72debc7538f6e54a11cc7aea', '''blue'':3 ''is'':2 ''it'':1');
INSERT INTO public.claim_text VALUES (2, '5db39bfb7de849c6f31936fdadd53aff66484a6a12f2f408c09640c10885861e', '''and'':3 ''day'':2 ''night'':4 ''yes'':1');
INSERT INTO public.claim_text VALUES (3, '8323ea8cb19a39d1db018886cd049f086e62f7319363261494a7a5258a57ef8a', '''7'':3 ''a'':5 ''cost'':2 ''euro'':4 ''month'':6 ''plan'':1');
INSERT INTO public.claim_text VALUES (4, '9d99c01995923ecef78bce9da933121e47f097851cd4a303d5c7f6346b7ef58a', '''5'':3 ''day'':4 ''refund'':1 ''take'':2');
INSERT INTO public.claim_text VALUES (5, 'dc3b9be207ea304469012b35aa0ef70974cee1dcc09975619dc00fa1ef573330', '''by'':1 ''mail'':2');
INSERT INTO public.claim_text VALUES (6, 'eb479e6d1c78e0a126f531b3d790278deff594bde5166e51de0d3f3f0ab0bf36', '''7'':4 ''a'':1 ''cost'':3 ''euro'':5 ''plan'':2');
INSERT INTO public.comparison VALUES ('r1', 'r2', 'judge', '7 r1=4complete r2=4complete spot-check=0 choices=0 ''v1'' ''v1'' ''v1'' 2026-11-24T14:53:09.692807+00:00', '{"baseline":{"run_id":"r1","name":"Week 9","status":"complete","judge":{"name":"lexical","method":"claims","options":{}},"fingerprint":"lexical/1","threshold":0.8,"kb_version":"v1","source":null,"created_at":"2026-03-01T12:00:00.123456Z","as_of":"2026-03-01T12:00:00.123456Z","finished_at":"2026-03-01T12:00:00.123456Z","revision":4,"seconds":0.5,"error":null,"repeat_of":null,"repeats":[],"use_cache":true,"rows_left_out":0,"series":"Help desk","archived_at":null,"texts_deleted_at":null,"note":"","live":null,"dataset":{"version_id":1,"dataset":"Week","number":1,"content_hash":"8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf","rows":3,"created_at":"2026-03-01T12:00:00.123456Z","runs":0}},"candidate":{"run_id":"r2","name":"Week 10","status":"complete","judge":{"name":"lexical","method":"claims","options":{}},"fingerprint":"lexical/1","threshold":0.8,"kb_version":"v1","source":null,"created_at":"2026-03-08T12:00:00.123456Z","as_of":"2026-03-08T12:00:00.123456Z","finished_at":"2026-03-01T12:00:00.123456Z","revision":4,"seconds":0.5,"error":null,"repeat_of":null,"repeats":[],"use_cache":true,"rows_left_out":0,"series":"Help desk","archived_at":null,"texts_deleted_at":null,"note":"","live":null,"dataset":{"version_id":1,"dataset":"Week","number":1,"content_hash":"8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf","rows":3,"created_at":"2026-03-01T12:00:00.123456Z","runs":0}},"view":"judge","cautions":[],"pairing":{"rules":{"key":3},"scored":3,"unscored":{},"key_conflicts":0,"only_in_baseline":[],"only_in_candidate":[],"suggestions":[]},"difference":{"pairs":3,"clusters":3,"baseline":0.6,"candidate":0.9333333333333332,"mean":0.3333333333333333,"interval":{"low":-0.6248902555413229,"high":1.0},"p_value":1.0,"detectable":null,"regressed":0,"improved":1,"unchanged":2},"faithful":{"lost":0,"gained":1,"lost_votes":0,"gained_votes":1,"p_value":1.0},"segments":[{"segment":"Billing","rows":2,"clusters":2,"baseline":0.9,"candidate":0.9,"difference":0.0,"interval":{"low":-0.9938441702975689,"high":0.9938441702975689},"p_value":1.0,"p_value_adjusted":1.0,"contribution":0.0,"share_of_delta":0.0},{"segment":"Support","rows":1,"clusters":1,"baseline":0.0,"candidate":1.0,"difference":1.0,"interval":null,"p_value":1.0,"p_value_adjusted":1.0,"contribution":0.3333333333333333,"share_of_delta":1.0}],"causes":[{"cause":"judge_noise","lost":0.0,"won":0.3333333333333333,"total":0.3333333333333333,"broken":0,"fixed":1,"answers":1}],"changes":[{"key":"phone","baseline_row":3,"candidate_row":3,"rule":"key","question":"Is there a phone?","segment":"Support","baseline":0.0,"candidate":1.0,"baseline_state":"judged","candidate_state":"judged","answer_changed":false,"context_changed":false,"chunks_added":[],"chunks_removed":[],"chunks_edited":[],"terms":[{"baseline":1,"candidate":1,"value":1.0,"cause":"judge_noise","flipped":true}]}],"noise":null,"corrected":null}');
INSERT INTO public.dataset VALUES (1, 'Week', '2026-03-01 12:00:00.123456+00');
INSERT INTO public.dataset_held_out VALUES (1, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 'ann', '2026-11-24 14:53:09.755457+00');
INSERT INTO public.dataset_tag VALUES (1, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 'prices', 'ann', '2026-11-24 14:53:09.751328+00');
INSERT INTO public.dataset_version VALUES (1, 1, 1, '8466f55cf3e8fd35814278a528e8b28a66e936b3ba7ebea466c15e05282678bf', 3, '2026-03-01 12:00:00.123456+00');
INSERT INTO public.event VALUES (1, '2026-03-02 12:00:00.123456+00', 'knowledge_base', 'New prices', 'v1', '2026-11-24 14:53:09.696454+00', 'ann');
INSERT INTO public.evidence VALUES (1, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO public.evidence VALUES (2, 0, 0, 'Refunds take 5 days.', 35, 55, 0);
INSERT INTO public.evidence VALUES (3, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO public.evidence VALUES (4, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO public.evidence VALUES (6, 0, 0, 'refunds: five days', NULL, NULL, NULL);
INSERT INTO public.evidence VALUES (7, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO public.evidence VALUES (8, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO public.evidence VALUES (9, 0, 0, 'Refunds take 5 days.', 35, 55, 0);
INSERT INTO public.evidence VALUES (10, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO public.evidence VALUES (11, 0, 0, 'Plans cost 7 euros a month.', 7, 34, 0);
INSERT INTO public.evidence VALUES (13, 0, 0, 'refunds: five days', NULL, NULL, NULL);
INSERT INTO public.evidence VALUES (14, 0, 0, 'Support answers by mail.', 56, 80, 0);
INSERT INTO public.inbox_assignment VALUES (5, 'bo', 'ann', '2026-11-24 14:53:09.685728+00');
INSERT INTO public.inbox_assignment VALUES (12, 'bo', 'ann', '2026-11-24 14:53:09.685728+00');
INSERT INTO public.inbox_claim VALUES (2, 4, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (3, 5, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (4, 3, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (6, 4, 'r1', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (8, 6, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (10, 5, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (11, 3, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (12, 1, 'r2', 'Billing', NULL, 2, 1, 0, 0.1875);
INSERT INTO public.inbox_claim VALUES (13, 4, 'r2', 'Billing', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (14, 2, 'r2', 'Support', 'policy.md', 0, 0, 0, 0);
INSERT INTO public.inbox_claim VALUES (5, 1, 'r1', 'Billing', NULL, 2, 1, 3, 0.1875);
INSERT INTO public.inbox_claim VALUES (1, 6, 'r1', 'Billing', 'policy.md', 0, 0, 1, 0);
INSERT INTO public.inbox_claim VALUES (7, 2, 'r1', 'Support', 'policy.md', -1, 4, 2, 0);
INSERT INTO public.inbox_claim VALUES (9, 4, 'r2', 'Billing', 'policy.md', 0, 0, 1, 0);
INSERT INTO public.inbox_tab VALUES (1, 'Open', '{"words": "blue", "verdict": ["not_mentioned"]}', 'ann', '2026-11-24 14:53:09.691339+00');
INSERT INTO public.kb_chunk VALUES ('v1', 1, 1, 'policy', '{"document": "policy.md"}');
INSERT INTO public.knowledge_base VALUES ('v1', 'policy.md', '2026-11-24 14:53:09.692807+00', 1);
INSERT INTO public.label VALUES (1, 'r1', 1, 5, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456+00', 'It is blue.', NULL, NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, NULL, false);
INSERT INTO public.label VALUES (2, 'r1', 1, 5, 'verdict', 'not_mentioned', 'reviewer', 'bo', '2026-03-02 13:00:00.123456+00', NULL, NULL, NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, NULL, false);
INSERT INTO public.label VALUES (3, 'r1', 1, 1, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456+00', NULL, NULL, NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, NULL, false);
INSERT INTO public.label VALUES (4, 'r1', 3, 7, 'not_a_claim', NULL, 'reviewer', 'ann', '2026-03-02 12:00:00.123456+00', NULL, NULL, NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, NULL, false);
INSERT INTO public.label VALUES (5, 'r1', 2, NULL, 'missed_claim', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456+00', NULL, 'REFUNDS', 0, 7, 0, NULL, false, true, NULL, NULL, NULL, NULL, false);
INSERT INTO public.label VALUES (6, 'r2', 4, 9, 'verdict', 'supported', 'reviewer', 'ann', '2026-03-02 12:00:00.123456+00', NULL, NULL, NULL, NULL, NULL, NULL, true, false, 1, NULL, NULL, NULL, false);
INSERT INTO public.logged_answer VALUES (1, 'default', 'a2a53e3fe91c40a28f3b39ca608c4891', '2026-11-24 14:53:09.758332+00', '2026-11-24 14:53:09.758332+00', 'How?', 'So.', '[["1", "c", 1, null, {}]]', NULL, '{}', 'waiting', NULL, NULL);
INSERT INTO public.note VALUES (1, 'r1', 3, 7, 'bo', '2026-03-02 12:00:00.123456+00', 'Ask the help desk.');
INSERT INTO public.result VALUES (1, 'r1', 1, 'judged', 'Billing', NULL, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 0.8, 0.8, true, NULL, 5, 4, 0, 1, 0, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.1875, 0.75, NULL);
INSERT INTO public.result VALUES (2, 'r1', 2, 'judged', 'Billing', NULL, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 1, 1, true, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.75, NULL);
INSERT INTO public.result VALUES (3, 'r1', 3, 'judged', 'Support', NULL, 'dd940b923ca33b6bd6f36d03c8a352a44b181ebc083b236e1fa94e8f5952baca', 0, 0, false, NULL, 1, 0, 0, 0, 1, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 1.75, 0.75, NULL);
INSERT INTO public.result VALUES (4, 'r2', 1, 'judged', 'Billing', NULL, 'd8416537d0cf499e659b8271f601f7cfc925983c635a52d094108fe8648d3a62', 0.8, 0.8, true, NULL, 5, 4, 0, 1, 0, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.1875, 0.75, NULL);
INSERT INTO public.result VALUES (5, 'r2', 2, 'judged', 'Billing', NULL, '808708679078cef1e0dc95256312f70597b3c4d66ddcb44e49793dd7e5b2c949', 1, 1, true, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.75, NULL);
INSERT INTO public.result VALUES (6, 'r2', 3, 'judged', 'Support', NULL, 'dd940b923ca33b6bd6f36d03c8a352a44b181ebc083b236e1fa94e8f5952baca', 1, 1, true, NULL, 1, 1, 0, 0, 0, NULL, '[]', 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.75, NULL);
INSERT INTO public.run VALUES ('r1', 'Week 9', 'complete', 'lexical', 'claims', '{}', 'lexical/1', 0.8, 'v1', NULL, '2026-03-01 12:00:00.123456+00', '2026-03-01 12:00:00.123456+00', '2026-03-01 12:00:00.123456+00', '2026-03-01 12:00:00.123456+00', NULL, false, 0.5, NULL, 3, 4, NULL, NULL, NULL, true, 0, 'Help desk', NULL, NULL, NULL);
INSERT INTO public.run VALUES ('r2', 'Week 10', 'complete', 'lexical', 'claims', '{}', 'lexical/1', 0.8, 'v1', NULL, '2026-03-08 12:00:00.123456+00', '2026-03-08 12:00:00.123456+00', '2026-03-01 12:00:00.123456+00', '2026-03-01 12:00:00.123456+00', NULL, false, 0.5, NULL, 3, 4, NULL, NULL, NULL, true, 0, 'Help desk', NULL, NULL, NULL);
INSERT INTO public.run_dataset VALUES ('r1', 1);
INSERT INTO public.run_dataset VALUES ('r2', 1);
INSERT INTO public.sample VALUES (1, 'r1', 1, 'price', 'What does a plan cost?', 'A plan costs 7 euros. Refunds take 5 days. By mail. Plans cost 7 euros a month. It is blue.', NULL, '{"week": 9}', '4cc6d7c254fafb16c93d8a7d8b0e0dee3ca96df0e2153b69972addf2f8fc371a', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'ac5cb629d0b29b90526498822bc9e529d18c21d1eab1400c31598b4a6813b0ac');
INSERT INTO public.sample VALUES (2, 'r1', 2, 'refund', 'How long do refunds take?', 'REFUNDS take 5 days.', NULL, '{"week": 9}', '14253f1b86a594a15a23c6c755e27c666ea6e1a1388714256ed11334c9256d86', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'a3aaf367e362be8573c7f37766e8be858682723a0cb4ea338aa775349ee4511d');
INSERT INTO public.sample VALUES (3, 'r1', 3, 'phone', 'Is there a phone?', 'Yes, day and night.', NULL, '{"week": 9}', 'bec0e335e97fb244940a94dff4ee99b7efa8bdfe4eaa87bb3895cab1963f08f7', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'b4d0f6b425cb2446b314547195985d6d6932f02f88efc9a7844ecab0c8186d47');
INSERT INTO public.sample VALUES (4, 'r2', 1, 'price', 'What does a plan cost?', 'A plan costs 7 euros. Refunds take 5 days. By mail. Plans cost 7 euros a month. It is blue.', NULL, '{"week": 9}', '4cc6d7c254fafb16c93d8a7d8b0e0dee3ca96df0e2153b69972addf2f8fc371a', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'ac5cb629d0b29b90526498822bc9e529d18c21d1eab1400c31598b4a6813b0ac');
INSERT INTO public.sample VALUES (5, 'r2', 2, 'refund', 'How long do refunds take?', 'REFUNDS take 5 days.', NULL, '{"week": 9}', '14253f1b86a594a15a23c6c755e27c666ea6e1a1388714256ed11334c9256d86', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'a3aaf367e362be8573c7f37766e8be858682723a0cb4ea338aa775349ee4511d');
INSERT INTO public.sample VALUES (6, 'r2', 3, 'phone', 'Is there a phone?', 'Yes, day and night.', NULL, '{"week": 9}', 'bec0e335e97fb244940a94dff4ee99b7efa8bdfe4eaa87bb3895cab1963f08f7', '7a5fb0c59601ccf2779b9627086657c63cc088016f454cef44ae7af86c1e1358', 'b4d0f6b425cb2446b314547195985d6d6932f02f88efc9a7844ecab0c8186d47');
INSERT INTO public.sample_chunk VALUES (1, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_chunk VALUES (2, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_chunk VALUES (3, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_chunk VALUES (4, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_chunk VALUES (5, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_chunk VALUES (6, 0, 1, 'policy', 1, NULL, '{"document": "policy.md"}');
INSERT INTO public.sample_review VALUES (1, 'r1', 0.8, 0.8, true, 5, 4, 0, 1, 0, 2, 0.1875);
INSERT INTO public.sample_review VALUES (3, 'r1', NULL, NULL, NULL, 0, 0, 0, 0, 0, 1, NULL);
INSERT INTO public.sample_review VALUES (2, 'r1', 1, 1, true, 2, 2, 0, 0, 0, 1, 0);
INSERT INTO public.sample_review VALUES (4, 'r2', 0.8, 0.8, true, 5, 4, 0, 1, 0, 1, 0.1875);
INSERT INTO public.spot_check VALUES (1, 'March', '2026-11-24 14:53:09.621928+00', 'ann', true, 1, '{"size": 4, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 1, "runs": {"r2": {"strata": [{"name": "all", "units": 7, "weight": 1.0, "judged": 0.9333333333333333}], "labels_per_unit": 1.0, "answers": 3, "judged_by_another": 0, "first": null}}}', NULL);
INSERT INTO public.spot_check_item VALUES (2, 1, 2, 'r2', 12, 'all', 0.39999999999999997, true);
INSERT INTO public.spot_check_item VALUES (3, 1, 3, 'r2', 13, 'all', 1, true);
INSERT INTO public.spot_check_item VALUES (4, 1, 4, 'r2', 14, 'all', 1, true);
INSERT INTO public.spot_check_item VALUES (1, 1, 1, 'r2', 9, 'all', 0.39999999999999997, false);
SELECT pg_catalog.setval('public.alert_id_seq', 1, true);
SELECT pg_catalog.setval('public.alert_rule_id_seq', 1, true);
SELECT pg_catalog.setval('public.audit_entry_id_seq', 18, true);
SELECT pg_catalog.setval('public.bench_id_seq', 1, false);
SELECT pg_catalog.setval('public.chunk_id_seq', 1, true);
SELECT pg_catalog.setval('public.claim_id_seq', 14, true);
SELECT pg_catalog.setval('public.claim_text_id_seq', 6, true);
SELECT pg_catalog.setval('public.dataset_id_seq', 1, true);
SELECT pg_catalog.setval('public.dataset_version_id_seq', 1, true);
SELECT pg_catalog.setval('public.event_id_seq', 1, true);
SELECT pg_catalog.setval('public.inbox_tab_id_seq', 1, true);
SELECT pg_catalog.setval('public.label_id_seq', 6, true);
SELECT pg_catalog.setval('public.live_window_id_seq', 1, false);
SELECT pg_catalog.setval('public.logged_answer_id_seq', 1, true);
SELECT pg_catalog.setval('public.note_id_seq', 1, true);
SELECT pg_catalog.setval('public.pair_choice_id_seq', 1, false);
SELECT pg_catalog.setval('public.sample_id_seq', 6, true);
SELECT pg_catalog.setval('public.saved_mapping_id_seq', 1, false);
SELECT pg_catalog.setval('public.spot_check_id_seq', 1, true);
SELECT pg_catalog.setval('public.spot_check_item_id_seq', 4, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT pk_alert PRIMARY KEY (id);
ALTER TABLE ONLY public.alert_rule
    ADD CONSTRAINT pk_alert_rule PRIMARY KEY (id);
ALTER TABLE ONLY public.assignment
    ADD CONSTRAINT pk_assignment PRIMARY KEY (spot_check_id, reviewer);
ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT pk_audit_entry PRIMARY KEY (id);
ALTER TABLE ONLY public.bench
    ADD CONSTRAINT pk_bench PRIMARY KEY (id);
ALTER TABLE ONLY public.chunk
    ADD CONSTRAINT pk_chunk PRIMARY KEY (id);
ALTER TABLE ONLY public.citation
    ADD CONSTRAINT pk_citation PRIMARY KEY (claim_id, ordinal);
ALTER TABLE ONLY public.claim
    ADD CONSTRAINT pk_claim PRIMARY KEY (id);
ALTER TABLE ONLY public.claim_review
    ADD CONSTRAINT pk_claim_review PRIMARY KEY (claim_id);
ALTER TABLE ONLY public.claim_text
    ADD CONSTRAINT pk_claim_text PRIMARY KEY (id);
ALTER TABLE ONLY public.comparison
    ADD CONSTRAINT pk_comparison PRIMARY KEY (baseline_id, candidate_id, view);
ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT pk_dataset PRIMARY KEY (id);
ALTER TABLE ONLY public.dataset_held_out
    ADD CONSTRAINT pk_dataset_held_out PRIMARY KEY (dataset_id, subject);
ALTER TABLE ONLY public.dataset_tag
    ADD CONSTRAINT pk_dataset_tag PRIMARY KEY (dataset_id, subject, tag);
ALTER TABLE ONLY public.dataset_version
    ADD CONSTRAINT pk_dataset_version PRIMARY KEY (id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT pk_event PRIMARY KEY (id);
ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT pk_evidence PRIMARY KEY (claim_id, ordinal);
ALTER TABLE ONLY public.inbox_assignment
    ADD CONSTRAINT pk_inbox_assignment PRIMARY KEY (claim_id);
ALTER TABLE ONLY public.inbox_claim
    ADD CONSTRAINT pk_inbox_claim PRIMARY KEY (claim_id);
ALTER TABLE ONLY public.inbox_tab
    ADD CONSTRAINT pk_inbox_tab PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_chunk
    ADD CONSTRAINT pk_kb_chunk PRIMARY KEY (version, "position");
ALTER TABLE ONLY public.knowledge_base
    ADD CONSTRAINT pk_knowledge_base PRIMARY KEY (version);
ALTER TABLE ONLY public.label
    ADD CONSTRAINT pk_label PRIMARY KEY (id);
ALTER TABLE ONLY public.lease
    ADD CONSTRAINT pk_lease PRIMARY KEY (item_id, reviewer);
ALTER TABLE ONLY public.listed_claim
    ADD CONSTRAINT pk_listed_claim PRIMARY KEY (spot_check_id, claim_id);
ALTER TABLE ONLY public.live_window
    ADD CONSTRAINT pk_live_window PRIMARY KEY (id);
ALTER TABLE ONLY public.logged_answer
    ADD CONSTRAINT pk_logged_answer PRIMARY KEY (id);
ALTER TABLE ONLY public.note
    ADD CONSTRAINT pk_note PRIMARY KEY (id);
ALTER TABLE ONLY public.pair_choice
    ADD CONSTRAINT pk_pair_choice PRIMARY KEY (id);
ALTER TABLE ONLY public.result
    ADD CONSTRAINT pk_result PRIMARY KEY (sample_id);
ALTER TABLE ONLY public.reveal
    ADD CONSTRAINT pk_reveal PRIMARY KEY (claim_id, reviewer);
ALTER TABLE ONLY public.run
    ADD CONSTRAINT pk_run PRIMARY KEY (id);
ALTER TABLE ONLY public.run_batch
    ADD CONSTRAINT pk_run_batch PRIMARY KEY (run_id);
ALTER TABLE ONLY public.run_dataset
    ADD CONSTRAINT pk_run_dataset PRIMARY KEY (run_id);
ALTER TABLE ONLY public.run_intake
    ADD CONSTRAINT pk_run_intake PRIMARY KEY (run_id);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT pk_sample PRIMARY KEY (id);
ALTER TABLE ONLY public.sample_chunk
    ADD CONSTRAINT pk_sample_chunk PRIMARY KEY (sample_id, "position");
ALTER TABLE ONLY public.sample_review
    ADD CONSTRAINT pk_sample_review PRIMARY KEY (sample_id);
ALTER TABLE ONLY public.saved_mapping
    ADD CONSTRAINT pk_saved_mapping PRIMARY KEY (id);
ALTER TABLE ONLY public.seen_answer
    ADD CONSTRAINT pk_seen_answer PRIMARY KEY (sample_id, reviewer);
ALTER TABLE ONLY public.spot_check
    ADD CONSTRAINT pk_spot_check PRIMARY KEY (id);
ALTER TABLE ONLY public.spot_check_item
    ADD CONSTRAINT pk_spot_check_item PRIMARY KEY (id);
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT uq_alert_rule_id_run_id UNIQUE (rule_id, run_id);
ALTER TABLE ONLY public.chunk
    ADD CONSTRAINT uq_chunk_text_hash UNIQUE (text_hash);
ALTER TABLE ONLY public.claim
    ADD CONSTRAINT uq_claim_sample_id_number UNIQUE (sample_id, number);
ALTER TABLE ONLY public.claim_text
    ADD CONSTRAINT uq_claim_text_claim_hash UNIQUE (claim_hash);
ALTER TABLE ONLY public.dataset
    ADD CONSTRAINT uq_dataset_name UNIQUE (name);
ALTER TABLE ONLY public.dataset_version
    ADD CONSTRAINT uq_dataset_version_dataset_id_content_hash UNIQUE (dataset_id, content_hash);
ALTER TABLE ONLY public.dataset_version
    ADD CONSTRAINT uq_dataset_version_dataset_id_number UNIQUE (dataset_id, number);
ALTER TABLE ONLY public.inbox_tab
    ADD CONSTRAINT uq_inbox_tab_name UNIQUE (name);
ALTER TABLE ONLY public.live_window
    ADD CONSTRAINT uq_live_window_run_id UNIQUE (run_id);
ALTER TABLE ONLY public.logged_answer
    ADD CONSTRAINT uq_logged_answer_application_external_id UNIQUE (application, external_id);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT uq_sample_run_id_key UNIQUE (run_id, key);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT uq_sample_run_id_position UNIQUE (run_id, "position");
ALTER TABLE ONLY public.saved_mapping
    ADD CONSTRAINT uq_saved_mapping_name UNIQUE (name);
ALTER TABLE ONLY public.spot_check_item
    ADD CONSTRAINT uq_spot_check_item_spot_check_id_claim_id UNIQUE (spot_check_id, claim_id);
ALTER TABLE ONLY public.spot_check_item
    ADD CONSTRAINT uq_spot_check_item_spot_check_id_position UNIQUE (spot_check_id, "position");
CREATE INDEX ix_alert_run_id ON public.alert USING btree (run_id);
CREATE INDEX ix_audit_entry_action ON public.audit_entry USING btree (action, id);
CREATE INDEX ix_audit_entry_at ON public.audit_entry USING btree (at);
CREATE INDEX ix_audit_entry_who ON public.audit_entry USING btree (who, id);
CREATE INDEX ix_bench_fingerprint ON public.bench USING btree (fingerprint);
CREATE INDEX ix_chunk_chunk_hash ON public.chunk USING btree (chunk_hash);
CREATE INDEX ix_claim_claim_hash ON public.claim USING btree (claim_hash);
CREATE INDEX ix_claim_evidence_hash ON public.claim USING btree (evidence_hash);
CREATE INDEX ix_claim_hallucination ON public.claim USING btree (run_id, hallucination_type, sample_id);
CREATE INDEX ix_claim_review_run ON public.claim_review USING btree (run_id, source);
CREATE INDEX ix_claim_review_sample_id ON public.claim_review USING btree (sample_id);
CREATE INDEX ix_claim_text_words ON public.claim_text USING gin (words);
CREATE INDEX ix_claim_verdict ON public.claim USING btree (run_id, verdict);
CREATE INDEX ix_comparison_candidate_id ON public.comparison USING btree (candidate_id);
CREATE INDEX ix_dataset_held_out_subject ON public.dataset_held_out USING btree (subject);
CREATE INDEX ix_dataset_version_content_hash ON public.dataset_version USING btree (content_hash);
CREATE INDEX ix_event_at ON public.event USING btree (at);
CREATE INDEX ix_inbox_assignment_reviewer ON public.inbox_assignment USING btree (reviewer);
CREATE INDEX ix_inbox_claim_document ON public.inbox_claim USING btree (document, run_id, verdict, error_type, label_state, segment, text_id);
CREATE INDEX ix_inbox_claim_facets ON public.inbox_claim USING btree (run_id, verdict, error_type, label_state, segment, text_id);
CREATE INDEX ix_inbox_claim_open ON public.inbox_claim USING btree (text_id, verdict, run_id, error_type, label_state, segment, document, harm) WHERE (verdict > 0);
CREATE INDEX ix_inbox_claim_text ON public.inbox_claim USING btree (text_id, verdict, run_id, error_type, label_state, segment, document, harm);
CREATE INDEX ix_kb_chunk_chunk_id ON public.kb_chunk USING btree (chunk_id);
CREATE INDEX ix_label_claim_id ON public.label USING btree (claim_id);
CREATE INDEX ix_label_origin ON public.label USING btree (origin);
CREATE INDEX ix_label_retracts ON public.label USING btree (retracts);
CREATE INDEX ix_label_run ON public.label USING btree (run_id, id);
CREATE INDEX ix_label_sample_id ON public.label USING btree (sample_id);
CREATE INDEX ix_label_spot_check_id ON public.label USING btree (spot_check_id);
CREATE INDEX ix_listed_claim_claim_id ON public.listed_claim USING btree (claim_id);
CREATE INDEX ix_live_window_application ON public.live_window USING btree (application, starts_at);
CREATE INDEX ix_logged_answer_fate ON public.logged_answer USING btree (fate, application, id);
CREATE INDEX ix_note_claim_id ON public.note USING btree (claim_id);
CREATE INDEX ix_note_run_id ON public.note USING btree (run_id);
CREATE INDEX ix_note_sample_id ON public.note USING btree (sample_id);
CREATE INDEX ix_pair_choice_candidate_id ON public.pair_choice USING btree (candidate_id);
CREATE INDEX ix_pair_choice_runs ON public.pair_choice USING btree (baseline_id, candidate_id);
CREATE INDEX ix_result_harm ON public.result USING btree (run_id, worst_harm, faithfulness, "position");
CREATE INDEX ix_result_segment ON public.result USING btree (run_id, segment);
CREATE INDEX ix_result_state ON public.result USING btree (run_id, state);
CREATE INDEX ix_result_worst ON public.result USING btree (run_id, faithfulness, "position");
CREATE INDEX ix_run_as_of ON public.run USING btree (as_of);
CREATE INDEX ix_run_dataset_version_id ON public.run_dataset USING btree (version_id);
CREATE INDEX ix_run_name ON public.run USING btree (name);
CREATE INDEX ix_run_repeat_of ON public.run USING btree (repeat_of);
CREATE INDEX ix_run_series ON public.run USING btree (series);
CREATE INDEX ix_sample_chunk_chunk_id ON public.sample_chunk USING btree (chunk_id);
CREATE INDEX ix_sample_content_hash ON public.sample USING btree (content_hash);
CREATE INDEX ix_sample_review_run ON public.sample_review USING btree (run_id);
CREATE INDEX ix_sample_sample_hash ON public.sample USING btree (sample_hash);
CREATE INDEX ix_saved_mapping_columns_hash ON public.saved_mapping USING btree (columns_hash);
CREATE INDEX ix_spot_check_item_claim_id ON public.spot_check_item USING btree (claim_id);
CREATE INDEX ix_spot_check_item_open ON public.spot_check_item USING btree (spot_check_id, is_open, "position");
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE OR TRUNCATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT fk_alert_rule_id FOREIGN KEY (rule_id) REFERENCES public.alert_rule(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT fk_alert_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.assignment
    ADD CONSTRAINT fk_assignment_spot_check_id FOREIGN KEY (spot_check_id) REFERENCES public.spot_check(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.citation
    ADD CONSTRAINT fk_citation_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.claim_review
    ADD CONSTRAINT fk_claim_review_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.claim_review
    ADD CONSTRAINT fk_claim_review_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.claim
    ADD CONSTRAINT fk_claim_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.comparison
    ADD CONSTRAINT fk_comparison_baseline_id FOREIGN KEY (baseline_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.comparison
    ADD CONSTRAINT fk_comparison_candidate_id FOREIGN KEY (candidate_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dataset_held_out
    ADD CONSTRAINT fk_dataset_held_out_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.dataset(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dataset_tag
    ADD CONSTRAINT fk_dataset_tag_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.dataset(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dataset_version
    ADD CONSTRAINT fk_dataset_version_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.dataset(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT fk_evidence_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inbox_assignment
    ADD CONSTRAINT fk_inbox_assignment_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inbox_claim
    ADD CONSTRAINT fk_inbox_claim_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.inbox_claim
    ADD CONSTRAINT fk_inbox_claim_text_id FOREIGN KEY (text_id) REFERENCES public.claim_text(id);
ALTER TABLE ONLY public.kb_chunk
    ADD CONSTRAINT fk_kb_chunk_chunk_id FOREIGN KEY (chunk_id) REFERENCES public.chunk(id);
ALTER TABLE ONLY public.kb_chunk
    ADD CONSTRAINT fk_kb_chunk_version FOREIGN KEY (version) REFERENCES public.knowledge_base(version) ON DELETE CASCADE;
ALTER TABLE ONLY public.label
    ADD CONSTRAINT fk_label_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.label
    ADD CONSTRAINT fk_label_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.label
    ADD CONSTRAINT fk_label_spot_check_id FOREIGN KEY (spot_check_id) REFERENCES public.spot_check(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.lease
    ADD CONSTRAINT fk_lease_item_id FOREIGN KEY (item_id) REFERENCES public.spot_check_item(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.listed_claim
    ADD CONSTRAINT fk_listed_claim_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.listed_claim
    ADD CONSTRAINT fk_listed_claim_spot_check_id FOREIGN KEY (spot_check_id) REFERENCES public.spot_check(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.live_window
    ADD CONSTRAINT fk_live_window_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.note
    ADD CONSTRAINT fk_note_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.note
    ADD CONSTRAINT fk_note_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pair_choice
    ADD CONSTRAINT fk_pair_choice_baseline_id FOREIGN KEY (baseline_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.pair_choice
    ADD CONSTRAINT fk_pair_choice_candidate_id FOREIGN KEY (candidate_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.result
    ADD CONSTRAINT fk_result_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reveal
    ADD CONSTRAINT fk_reveal_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_batch
    ADD CONSTRAINT fk_run_batch_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_dataset
    ADD CONSTRAINT fk_run_dataset_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.run_dataset
    ADD CONSTRAINT fk_run_dataset_version_id FOREIGN KEY (version_id) REFERENCES public.dataset_version(id);
ALTER TABLE ONLY public.run_intake
    ADD CONSTRAINT fk_run_intake_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sample_chunk
    ADD CONSTRAINT fk_sample_chunk_chunk_id FOREIGN KEY (chunk_id) REFERENCES public.chunk(id);
ALTER TABLE ONLY public.sample_chunk
    ADD CONSTRAINT fk_sample_chunk_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sample_review
    ADD CONSTRAINT fk_sample_review_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT fk_sample_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.seen_answer
    ADD CONSTRAINT fk_seen_answer_sample_id FOREIGN KEY (sample_id) REFERENCES public.sample(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.spot_check_item
    ADD CONSTRAINT fk_spot_check_item_claim_id FOREIGN KEY (claim_id) REFERENCES public.claim(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.spot_check_item
    ADD CONSTRAINT fk_spot_check_item_spot_check_id FOREIGN KEY (spot_check_id) REFERENCES public.spot_check(id) ON DELETE CASCADE;
