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
    text_id integer,
    text text,
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
    mismatches json,
    decided_by text
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
    text text NOT NULL,
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
    segment_id integer,
    document_id integer,
    verdict smallint NOT NULL,
    error_type smallint NOT NULL,
    label_state smallint NOT NULL,
    harm double precision NOT NULL
);

CREATE TABLE public.inbox_name (
    id integer NOT NULL,
    name text NOT NULL
);

CREATE SEQUENCE public.inbox_name_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.inbox_name_id_seq OWNED BY public.inbox_name.id;

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

CREATE TABLE public.knowledge_decision (
    kind character varying(16) NOT NULL,
    finding text NOT NULL,
    is_confirmed boolean NOT NULL,
    decided_by text,
    at timestamp with time zone NOT NULL
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

CREATE TABLE public.preflight (
    id character varying(16) NOT NULL,
    run_id character varying(16) NOT NULL,
    kb_version text NOT NULL,
    new_version text,
    source text,
    content_hash character varying(64) NOT NULL,
    texts_hash character varying(64) NOT NULL,
    judge json NOT NULL,
    fingerprint text NOT NULL,
    is_run_judge boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    counts json NOT NULL,
    documents json NOT NULL,
    answers integer NOT NULL,
    unplaced integer NOT NULL
);

CREATE TABLE public.preflight_answer (
    preflight_id character varying(16) NOT NULL,
    "row" integer NOT NULL,
    is_judged boolean NOT NULL,
    plan json NOT NULL,
    result json
);

CREATE TABLE public.preflight_passage (
    preflight_id character varying(16) NOT NULL,
    number integer NOT NULL,
    external_id text NOT NULL,
    document integer,
    text text NOT NULL
);

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

ALTER TABLE ONLY public.inbox_name ALTER COLUMN id SET DEFAULT nextval('public.inbox_name_id_seq'::regclass);

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

INSERT INTO public.alembic_version VALUES
	('0028');

INSERT INTO public.alert_rule VALUES
	(1, 'below', 0.9, NULL, '2026-11-28 20:41:08.079856+00', NULL);

INSERT INTO public.audit_entry VALUES
	(1, '2026-11-28 20:40:44.32129+00', 'command line: ada', 'knowledge.saved', NULL, NULL, '2026-09', NULL, 8),
	(2, '2026-11-28 20:40:45.697738+00', 'command line: ada', 'knowledge.saved', NULL, NULL, '2026-10', NULL, 8),
	(3, '2026-11-28 20:40:48.290022+00', 'command line: ada', 'run.started', 'p5j8y458', 'september', NULL, 'lexical', 10),
	(4, '2026-11-28 20:40:52.844887+00', 'command line: ada', 'run.started', '45tyfagr', 'october', NULL, 'lexical', 10),
	(5, '2026-11-28 20:40:56.844794+00', 'command line: ada', 'run.started', 'xrwzjamp', 'september, read', NULL, 'embedded', 10),
	(6, '2026-11-28 20:41:00.6348+00', 'command line: ada', 'spot_check.drawn', 'p5j8y458', 'september', 'Spot-check', NULL, 12),
	(7, '2026-11-28 20:41:02.24903+00', 'command line: ada', 'label.given', 'p5j8y458', 'september', NULL, NULL, 12),
	(8, '2026-11-28 20:41:03.881905+00', 'command line: ada', 'label.given', 'p5j8y458', 'september', NULL, NULL, 5),
	(9, '2026-11-28 20:41:05.47046+00', 'command line: ada', 'spot_check.drawn', '45tyfagr', 'october', 'Spot-check', NULL, 6),
	(10, '2026-11-28 20:41:06.714236+00', 'command line: ada', 'trend.event_added', NULL, NULL, 'New index', '2026-10-02T00:00:00+00:00', 1),
	(11, '2026-11-28 20:41:08.092804+00', 'command line: ada', 'trend.rule_added', NULL, NULL, '1', 'below 0.9', 1),
	(12, '2026-11-28 20:41:10.356944+00', 'command line: ada', 'knowledge.checked', 'p5j8y458', 'september', 'kb-2026-10.jsonl', NULL, 0),
	(13, '2026-11-28 20:41:14.256687+00', 'command line: ada', 'dataset.tagged', NULL, NULL, 'september', 'hard', 10);

INSERT INTO public.chunk VALUES
	(1, '0669ee4740075bb0691c85b493cf4c27a2fcbd33c71b2dc04bcd8d868fb2bd65', '0669ee4740075bb0691c85b493cf4c27a2fcbd33c71b2dc04bcd8d868fb2bd65', 'When you remove a seat, the change takes effect at the end of the current billing period and no refund is made for the remaining days. You can remove seats under Settings > Billing > Seats. A workspace must keep at least 1 seat. Yearly subscriptions can add seats at any time but can only reduce them at renewal.'),
	(2, '21b36a03651198c278a9405e77373eee395a304b51ed86e07ba8790523bd1048', '21b36a03651198c278a9405e77373eee395a304b51ed86e07ba8790523bd1048', 'Brindlepost accepts credit and debit cards and SEPA direct debit. Direct debit is available in euros only and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date. We do not accept cheques, cash or payment in cryptocurrency.'),
	(3, '2c46ad1b0ef896a0857bd84f5f6f0704ea180da43d5292201d13751aab3d26a1', '2c46ad1b0ef896a0857bd84f5f6f0704ea180da43d5292201d13751aab3d26a1', 'You can add up to 3 billing contacts, who receive invoices but do not need a seat. Purchase order numbers, the company name and the billing address can be changed at any time; the change appears on the next invoice. Invoices that have been issued cannot be edited, but the billing team can cancel and reissue an invoice within 30 days.'),
	(4, '2e0d6a2841f050a0df1d4c9f90124a59072517a075706808e00d3606bfd53d4a', '2e0d6a2841f050a0df1d4c9f90124a59072517a075706808e00d3606bfd53d4a', 'Brindlepost has three plans. Starter costs €9 per seat a month and covers up to 5 seats and 2 inboxes. Team costs €19 per seat a month and covers up to 50 seats and 10 inboxes. Scale costs €39 per seat a month, has no seat limit and covers up to 100 inboxes. All prices are before tax. Every plan includes the mobile apps, saved replies and email support.'),
	(5, '3d73801fc8820b239eefdf6410791ba4d80306cd65f2663860461ffa0e826a15', '3d73801fc8820b239eefdf6410791ba4d80306cd65f2663860461ffa0e826a15', 'Your billing cycle starts on the day you subscribe and renews on the same day each month or year. We charge in advance for the coming period. An invoice is sent to the billing contact within 24 hours of each charge, and every invoice stays available as a PDF under Settings > Billing > Invoices for 7 years.'),
	(6, '65d405995bed18a3253e7ff55fd5fd21a542328274395eb3693db1134f842eb4', '65d405995bed18a3253e7ff55fd5fd21a542328274395eb3693db1134f842eb4', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace, and enter the new details; the old method is removed as soon as the new one is confirmed. Card numbers are held by our payment provider and are never stored on Brindlepost servers. An email confirms every change of the payment method.'),
	(7, '81497e680740ae8c5ab7f32efb4711ab92278c86a388a73799a5b72628be1e04', '81497e680740ae8c5ab7f32efb4711ab92278c86a388a73799a5b72628be1e04', 'A seat is used by every person with the role Owner, Admin, Lead or Agent. Viewers do not use a seat. When you add a seat in the middle of a billing period, you pay a pro-rated amount for the days that are left, and the charge is made at once. New seats can be used immediately.'),
	(8, 'da098084f4390b7653ae15080decc4f16720d665cf13577b962813bf6dac77f3', 'da098084f4390b7653ae15080decc4f16720d665cf13577b962813bf6dac77f3', 'If you pay by the year, you get two months free: a yearly Team seat costs €190 instead of €228. Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The charity discount cannot be combined with yearly billing. Prices for existing customers stay fixed for 12 months after a price change is announced.'),
	(9, '2551490e410b3f80b6afc20fe162e9f2875a354184a56952b95ae6d811497e5b', '2551490e410b3f80b6afc20fe162e9f2875a354184a56952b95ae6d811497e5b', 'A read-only workspace is restored within a few minutes of a successful payment. If no payment arrives within 60 days of the first failed charge, the subscription is cancelled and the workspace is closed. A closed workspace can be reopened by its Owner for another 30 days before its data is deleted. Messages that were received in the meantime are then delivered to the inboxes in their original order.'),
	(10, '2b60d82356a96fa86cbd5d5b129418ac9aca215061fcb62e3ab9354f132d866d', '2b60d82356a96fa86cbd5d5b129418ac9aca215061fcb62e3ab9354f132d866d', 'VAT that was charged before you entered a valid number can be credited for the last 2 invoices only. Write to the billing team with the invoice numbers. Customers outside the European Union are not charged VAT, but local taxes may be due in their own country. Tax settings can be changed by Owners and Admins.'),
	(11, '48c800ca50ff7754f9cbb28202e687aae910d718cbedac3412534ba3298e8aea', '48c800ca50ff7754f9cbb28202e687aae910d718cbedac3412534ba3298e8aea', 'You can allow everyone with an address at your company''s domain to join without an invitation. Confirm the domain with a DNS record under Settings > People > Domains, and choose the role that new people get: Agent or Viewer. People who join this way use a seat if they are Agents. Up to 5 domains can be confirmed.'),
	(12, '49b1a2771e197f233e199f6011c60530c81460f59d45d190271d56e9c8d6e627', '49b1a2771e197f233e199f6011c60530c81460f59d45d190271d56e9c8d6e627', 'To connect an address, go to Settings > Inboxes > New inbox and choose between a direct connection and forwarding. A direct connection works with any IMAP mailbox and checks for new mail every 2 minutes. When you connect a mailbox, Brindlepost imports the last 90 days of email, up to 20,000 messages. Older messages stay in the mailbox and are not imported.'),
	(13, '5e0201d7c31b23217c63d0620f8e7fd23aee3c71e57ac58f44de638b3f7c69b9', '5e0201d7c31b23217c63d0620f8e7fd23aee3c71e57ac58f44de638b3f7c69b9', 'If the Owner has left the company and cannot sign in, an Admin can ask support to move the ownership. Support needs a letter on company paper signed by a director and waits 10 working days, during which the old Owner can object by email. The process is free of charge and can be used once a year.'),
	(14, '8816c8b1c72fa77233dd799cee3deeedd9205c0f35e15d24b65d0096128dedaa', '8816c8b1c72fa77233dd799cee3deeedd9205c0f35e15d24b65d0096128dedaa', 'If delivery fails, we try again 8 times over 24 hours with growing pauses. After that the event is dropped. A webhook that fails for 3 days in a row is switched off, and Admins are told by email. Each request is signed with HMAC-SHA256 in the header X-Brindle-Signature. The last 500 deliveries can be viewed and sent again under Settings > Developers.'),
	(15, 'abec2249cdc9d75d7064af66b0341356ee18063e38e8ce37fb48c97e59a545e0', 'abec2249cdc9d75d7064af66b0341356ee18063e38e8ce37fb48c97e59a545e0', 'A message can have up to 20 attachments with a total size of 25 MB. Larger files, up to 200 MB each, are sent as a download link that expires after 30 days. Executable files such as .exe and .bat are removed from incoming mail, and a note in the conversation says which file was removed.'),
	(16, 'adae2dc25ee2eba020c8f7af8765cc4e3ac73fe0498b8f4f250d5303e948dbf3', 'adae2dc25ee2eba020c8f7af8765cc4e3ac73fe0498b8f4f250d5303e948dbf3', 'If a payment fails, we try again after 3, 7 and 14 days and email the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only: incoming mail is still received and stored, but nobody can send replies or change settings. A banner at the top of every page tells Admins which invoice is open and how much is due.'),
	(17, 'be00aa65c1756e2c2fef78104aacf3040a1d7c52777ec7d93ab8f5ccf07a6a86', 'be00aa65c1756e2c2fef78104aacf3040a1d7c52777ec7d93ab8f5ccf07a6a86', 'A survey asks the customer to rate the conversation as good, okay or bad. It is sent 24 hours after a conversation is closed, and the delay can be set between 1 hour and 7 days. A customer gets at most one survey in 30 days. Surveys are part of the Team and Scale plans.'),
	(18, 'e2af1d50259ecc46e28df203141d4a40d92074a83863eab0500f31f200d9952b', 'e2af1d50259ecc46e28df203141d4a40d92074a83863eab0500f31f200d9952b', 'A rule can assign, tag, set a priority, close, snooze, send a saved reply, forward to an outside address, or call a webhook. One rule can have up to 12 conditions and 8 actions. The Team plan allows 50 active rules and the Scale plan allows 400. Inactive rules do not count. A rule that goes over a limit cannot be saved, and the editor shows which part is too much.'),
	(19, 'e5e71505ab4ea6971dd3cbb7b56a2b22eb63ea3a9c0e87cfa1987a8c8d734fca', 'e5e71505ab4ea6971dd3cbb7b56a2b22eb63ea3a9c0e87cfa1987a8c8d734fca', 'A rule can transfer conversations with the action Transfer to inbox, on the Team and Scale plans. A conversation can be transferred by rules at most 3 times. The response time clock is not restarted by a transfer: first response time still runs from the customer''s first message, and the service targets of the new inbox apply from the moment of the transfer.'),
	(20, 'f4e2666ff5c5b0111b265b60d0a00051e0bdbe29ee994de2bd67a29f97144aa7', 'f4e2666ff5c5b0111b265b60d0a00051e0bdbe29ee994de2bd67a29f97144aa7', 'When a conversation is assigned to a team, every person in that team who is available gets a notification. The first person who replies becomes the assignee. Teams can be mentioned in internal notes with @ and the team''s name. Deleting a team leaves its conversations in the inbox without an assignee. Notifications for a team can be muted by each person under Profile > Notifications.'),
	(21, '3f06334d530fb0a0d77e2256bbca8ff97572f0c3c0b15a9e9e4440ecb23a1e84', '3f06334d530fb0a0d77e2256bbca8ff97572f0c3c0b15a9e9e4440ecb23a1e84', 'To hand a conversation over to a team that works in another inbox, use Transfer. Open the conversation, choose More > Transfer, pick the inbox and press Transfer. The conversation moves at once and arrives unassigned in the other inbox. The receiving team does not have to accept it. Transfer is included in all plans at no extra charge.'),
	(22, '4c3b47a484fda9504441d5ba57e432d2b5b5aff178525ce70998b50c396516d3', '4c3b47a484fda9504441d5ba57e432d2b5b5aff178525ce70998b50c396516d3', 'When a handover arrives, each member of the receiving team sees Accept and Return. The acceptance window is 30 minutes by default. Accepting makes you the assignee. Returning needs a reason of at least 10 characters. If nobody accepts in time, the handover lapses and the conversation goes back. The bar at the top of the conversation shows how much of the window is left.'),
	(23, '4d2e9dfc85cdd0a2dd018c16e7dd00cd5fe2b7c0ad56d55a4a0047d6bece9ad0', '4d2e9dfc85cdd0a2dd018c16e7dd00cd5fe2b7c0ad56d55a4a0047d6bece9ad0', 'DNS changes can take up to 48 hours to become visible. Brindlepost checks the records every hour and shows a green tick when both are correct. Until the domain is verified, replies are sent from an address ending in brindlepost.example. A DKIM key has 2048 bits and is renewed once a year without any action on your side.');

INSERT INTO public.citation VALUES
	(1, 0, 0),
	(2, 0, 0),
	(3, 0, 0),
	(4, 0, 0),
	(5, 0, 0),
	(6, 0, 0),
	(7, 0, 0),
	(8, 0, 0),
	(9, 0, 0),
	(10, 0, 0),
	(11, 0, 1),
	(12, 0, 1),
	(13, 0, 0),
	(14, 0, 0),
	(15, 0, 0),
	(16, 0, 0),
	(17, 0, 0),
	(18, 0, 0),
	(19, 0, 0),
	(20, 0, 0),
	(21, 0, 0),
	(22, 0, 0),
	(23, 0, 0),
	(24, 0, 0),
	(25, 0, 1),
	(26, 0, 1),
	(27, 0, 1),
	(28, 0, 0),
	(29, 0, 0),
	(30, 0, 0),
	(31, 0, 0),
	(32, 0, 0),
	(33, 0, 0),
	(34, 0, 0),
	(35, 0, 0),
	(36, 0, 0),
	(37, 0, 0),
	(38, 0, 1),
	(39, 0, 1),
	(40, 0, 0),
	(41, 0, 0),
	(42, 0, 0),
	(43, 0, 0),
	(44, 0, 0),
	(45, 0, 0),
	(46, 0, 0),
	(47, 0, 0),
	(48, 0, 0),
	(49, 0, 0),
	(50, 0, 0),
	(51, 0, 0),
	(52, 0, 1),
	(53, 0, 1),
	(54, 0, 1),
	(55, 0, 0),
	(56, 0, 0),
	(57, 0, 0),
	(58, 0, 0),
	(59, 0, 0),
	(60, 0, 0),
	(61, 0, 0),
	(62, 0, 0),
	(63, 0, 0),
	(65, 0, 1),
	(66, 0, 1),
	(67, 0, 0),
	(68, 0, 0),
	(69, 0, 0),
	(70, 0, 0),
	(71, 0, 0),
	(72, 0, 0),
	(73, 0, 0),
	(74, 0, 0),
	(75, 0, 0),
	(76, 0, 0),
	(77, 0, 0),
	(78, 0, 0),
	(79, 0, 1),
	(80, 0, 1),
	(81, 0, 1);

INSERT INTO public.claim VALUES
	(1, 1, 'p5j8y458', 1, 10, NULL, 'supported', 0.991903, 0.991903, 'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.', 'factual', 'high', NULL, NULL, NULL, '[[0, 70, 0]]', NULL, NULL),
	(2, 1, 'p5j8y458', 2, 1, NULL, 'supported', 0.995695, 0.995695, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[71, 113, 0]]', NULL, NULL),
	(3, 1, 'p5j8y458', 3, 6, NULL, 'supported', 0.996192, 0.996192, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[121, 163, 0]]', NULL, NULL),
	(4, 1, 'p5j8y458', 4, 2, NULL, 'supported', 0.994034, 0.994034, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[164, 188, 0]]', NULL, NULL),
	(5, 1, 'p5j8y458', 5, 5, NULL, 'supported', 0.99638, 0.99638, 'Chunk kb-001-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[189, 215, 0]]', NULL, NULL),
	(6, 2, 'p5j8y458', 1, 12, NULL, 'supported', 0.99511, 0.99511, 'Chunk kb-001-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[5, 102, 0]]', NULL, NULL),
	(7, 2, 'p5j8y458', 2, 7, NULL, 'supported', 0.996824, 0.996824, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[103, 163, 0]]', NULL, NULL),
	(8, 3, 'p5j8y458', 1, 3, NULL, 'supported', 0.995299, 0.995299, 'Chunk kb-001-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(9, 3, 'p5j8y458', 2, 4, NULL, 'supported', 0.995291, 0.995291, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[110, 162, 0]]', NULL, NULL),
	(10, 3, 'p5j8y458', 3, 9, NULL, 'supported', 0.732574, 0.732574, 'Chunk kb-001-2 comes closest; “renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[163, 227, 0]]', NULL, NULL),
	(11, 4, 'p5j8y458', 1, 11, NULL, 'supported', 0.994285, 0.994285, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 84, 0]]', NULL, NULL),
	(12, 4, 'p5j8y458', 2, 8, NULL, 'supported', 0.993462, 0.993462, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[85, 163, 0]]', NULL, NULL),
	(13, 5, 'p5j8y458', 1, 26, NULL, 'supported', 0.995589, 0.995589, 'Chunk kb-002-2 says this.', 'factual', 'low', NULL, NULL, NULL, '[[0, 48, 0]]', NULL, NULL),
	(14, 5, 'p5j8y458', 2, 27, NULL, 'supported', 0.995417, 0.995417, 'Chunk kb-002-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[49, 115, 0]]', NULL, NULL),
	(15, 5, 'p5j8y458', 3, 21, NULL, 'supported', 0.990119, 0.990119, 'Chunk kb-002-2 comes closest; “new” is not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[116, 182, 0]]', NULL, NULL),
	(16, 6, 'p5j8y458', 1, 13, NULL, 'supported', 0.993548, 0.993548, 'Chunk kb-003-1 has “available” where the answer has “accepted”.', 'factual', 'high', NULL, NULL, NULL, '[[0, 86, 0]]', NULL, NULL),
	(17, 6, 'p5j8y458', 2, 14, NULL, 'supported', 0.993808, 0.993808, 'Chunk kb-003-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[87, 206, 0]]', NULL, NULL),
	(18, 7, 'p5j8y458', 1, 25, NULL, 'supported', 0.996407, 0.996407, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 53, 0]]', NULL, NULL),
	(19, 7, 'p5j8y458', 2, 22, NULL, 'supported', 0.996462, 0.996462, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[54, 138, 0]]', NULL, NULL),
	(20, 7, 'p5j8y458', 3, 16, NULL, 'supported', 0.996512, 0.996512, 'Chunk kb-003-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[139, 201, 0]]', NULL, NULL),
	(21, 8, 'p5j8y458', 1, 24, NULL, 'supported', 0.985823, 0.985823, 'Chunk kb-004-1 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[0, 62, 0]]', NULL, NULL),
	(22, 8, 'p5j8y458', 2, 15, NULL, 'supported', 0.897456, 0.897456, 'Chunk kb-004-1 comes closest; “colleague” and “start” are not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[63, 165, 0]]', NULL, NULL),
	(23, 9, 'p5j8y458', 1, 20, NULL, 'supported', 0.99681, 0.99681, 'Chunk kb-004-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[4, 30, 0]]', NULL, NULL),
	(24, 9, 'p5j8y458', 2, 23, NULL, 'supported', 0.995895, 0.995895, 'Chunk kb-004-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[31, 104, 0]]', NULL, NULL),
	(25, 10, 'p5j8y458', 1, 18, NULL, 'supported', 0.987028, 0.987028, 'Chunk kb-005-1 comes closest.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(26, 10, 'p5j8y458', 2, 19, NULL, 'supported', 0.973049, 0.973049, 'Chunk kb-005-1 comes closest; “blocked” is not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[110, 154, 0]]', NULL, NULL),
	(27, 10, 'p5j8y458', 3, 17, NULL, 'supported', 0.994799, 0.994799, 'Chunk kb-005-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[155, 221, 0]]', NULL, NULL),
	(28, 11, '45tyfagr', 1, 10, NULL, 'partially_supported', 0.3, 0.991798, 'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.', 'factual', 'high', 'extrapolation', 'low', NULL, '[[0, 70, 0]]', NULL, NULL),
	(29, 11, '45tyfagr', 2, 1, NULL, 'supported', 0.995606, 0.995606, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[71, 113, 0]]', NULL, NULL),
	(30, 11, '45tyfagr', 3, 28, NULL, 'contradicted', 0.85, 0.397087, 'Chunk kb-001-1 says “10”, the answer “100”.', 'factual', 'high', 'contradiction', 'high', 'Team costs €19 per seat a month and covers up to 50 seats and 10 inboxes.', '[[121, 164, 0]]', '[[152, 155, "kb-001-1", 165, 167]]', NULL),
	(31, 11, '45tyfagr', 4, 2, NULL, 'supported', 0.99399, 0.99399, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[165, 189, 0]]', NULL, NULL),
	(32, 11, '45tyfagr', 5, 5, NULL, 'supported', 0.996242, 0.996242, 'Chunk kb-001-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[190, 216, 0]]', NULL, NULL),
	(33, 12, '45tyfagr', 1, 12, NULL, 'supported', 0.99511, 0.99511, 'Chunk kb-001-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[5, 102, 0]]', NULL, NULL),
	(34, 12, '45tyfagr', 2, 7, NULL, 'supported', 0.996824, 0.996824, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[103, 163, 0]]', NULL, NULL),
	(35, 13, '45tyfagr', 1, 3, NULL, 'supported', 0.995299, 0.995299, 'Chunk kb-001-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(36, 13, '45tyfagr', 2, 4, NULL, 'supported', 0.995291, 0.995291, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[110, 162, 0]]', NULL, NULL),
	(37, 13, '45tyfagr', 3, 9, NULL, 'supported', 0.732574, 0.732574, 'Chunk kb-001-2 comes closest; “renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[163, 227, 0]]', NULL, NULL),
	(38, 14, '45tyfagr', 1, 29, NULL, 'supported', 0.989069, 0.989069, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 84, 0]]', NULL, NULL),
	(39, 14, '45tyfagr', 2, 8, NULL, 'supported', 0.993122, 0.993122, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[85, 163, 0]]', NULL, NULL),
	(40, 15, '45tyfagr', 1, 26, NULL, 'supported', 0.995589, 0.995589, 'Chunk kb-002-2 says this.', 'factual', 'low', NULL, NULL, NULL, '[[0, 48, 0]]', NULL, NULL),
	(41, 15, '45tyfagr', 2, 27, NULL, 'supported', 0.995417, 0.995417, 'Chunk kb-002-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[49, 115, 0]]', NULL, NULL),
	(42, 15, '45tyfagr', 3, 21, NULL, 'supported', 0.990119, 0.990119, 'Chunk kb-002-2 comes closest; “new” is not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[116, 182, 0]]', NULL, NULL),
	(43, 16, '45tyfagr', 1, 13, NULL, 'supported', 0.993618, 0.993618, 'Chunk kb-003-1 has “available” where the answer has “accepted”.', 'factual', 'high', NULL, NULL, NULL, '[[0, 86, 0]]', NULL, NULL),
	(44, 16, '45tyfagr', 2, 14, NULL, 'supported', 0.993817, 0.993817, 'Chunk kb-003-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[87, 206, 0]]', NULL, NULL),
	(45, 17, '45tyfagr', 1, 25, NULL, 'supported', 0.996407, 0.996407, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 53, 0]]', NULL, NULL),
	(46, 17, '45tyfagr', 2, 22, NULL, 'supported', 0.996462, 0.996462, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[54, 138, 0]]', NULL, NULL),
	(47, 17, '45tyfagr', 3, 16, NULL, 'supported', 0.996512, 0.996512, 'Chunk kb-003-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[139, 201, 0]]', NULL, NULL),
	(48, 18, '45tyfagr', 1, 24, NULL, 'supported', 0.985823, 0.985823, 'Chunk kb-004-1 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[0, 62, 0]]', NULL, NULL),
	(49, 18, '45tyfagr', 2, 15, NULL, 'supported', 0.897456, 0.897456, 'Chunk kb-004-1 comes closest; “colleague” and “start” are not in the chunks.', 'factual', 'medium', NULL, NULL, NULL, '[[63, 165, 0]]', NULL, NULL),
	(50, 19, '45tyfagr', 1, 20, NULL, 'supported', 0.99681, 0.99681, 'Chunk kb-004-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[0, 26, 0]]', NULL, NULL),
	(51, 19, '45tyfagr', 2, 23, NULL, 'supported', 0.995895, 0.995895, 'Chunk kb-004-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[27, 100, 0]]', NULL, NULL),
	(52, 20, '45tyfagr', 1, 18, NULL, 'supported', 0.988588, 0.988588, 'Chunk kb-005-1 comes closest.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(53, 20, '45tyfagr', 2, 30, NULL, 'supported', 0.997032, 0.997032, 'Chunk kb-005-1 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[110, 156, 0]]', NULL, NULL),
	(54, 20, '45tyfagr', 3, 17, NULL, 'supported', 0.995302, 0.995302, 'Chunk kb-005-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[157, 223, 0]]', NULL, NULL),
	(55, 21, 'xrwzjamp', 1, 10, NULL, 'supported', 0.9845, 0.9845, 'Chunk kb-001-1 has “and covers up to 5 seats” where the answer has “Team costs €19 and Scale costs €39”.', 'factual', 'high', NULL, NULL, NULL, '[[0, 70, 0]]', NULL, NULL),
	(56, 21, 'xrwzjamp', 2, 1, NULL, 'supported', 0.9902, 0.9902, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[71, 113, 0]]', NULL, NULL),
	(57, 21, 'xrwzjamp', 3, 6, NULL, 'supported', 0.991, 0.991, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[121, 163, 0]]', NULL, NULL),
	(58, 21, 'xrwzjamp', 4, 2, NULL, 'supported', 0.9876, 0.9876, 'Chunk kb-001-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[164, 188, 0]]', NULL, NULL),
	(59, 21, 'xrwzjamp', 5, 5, NULL, 'supported', 0.9913, 0.9913, 'Chunk kb-001-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[189, 215, 0]]', NULL, NULL),
	(60, 22, 'xrwzjamp', 1, 12, NULL, 'supported', 0.7932, 0.7932, 'Chunk kb-001-2 comes closest.', 'factual', 'high', NULL, NULL, NULL, '[[5, 102, 0]]', NULL, NULL),
	(61, 22, 'xrwzjamp', 2, 7, NULL, 'supported', 0.95, 0.95, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[103, 163, 0]]', NULL, NULL),
	(62, 23, 'xrwzjamp', 1, 3, NULL, 'supported', 0.9847, 0.9847, 'Chunk kb-001-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(63, 23, 'xrwzjamp', 2, 4, NULL, 'supported', 0.9744, 0.9744, 'Chunk kb-001-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[110, 162, 0]]', NULL, NULL),
	(64, 23, 'xrwzjamp', 3, 9, NULL, 'not_mentioned', 0.865, 0.135, '“renewed”, “automatically”, “schools” and “hospitals” are not in the chunks.', 'factual', 'medium', 'fabrication', 'medium', NULL, '[[163, 227, 0]]', '[[179, 186, null, 0, 0], [187, 200, null, 0, 0], [205, 212, null, 0, 0], [217, 226, null, 0, 0]]', NULL),
	(65, 24, 'xrwzjamp', 1, 11, NULL, 'supported', 0.9179, 0.9179, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 84, 0]]', NULL, NULL),
	(66, 24, 'xrwzjamp', 2, 8, NULL, 'supported', 0.8001, 0.8001, 'Chunk kb-002-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[85, 163, 0]]', NULL, NULL),
	(67, 25, 'xrwzjamp', 1, 26, NULL, 'supported', 0.9637, 0.9637, 'Chunk kb-002-2 says this.', 'factual', 'low', NULL, NULL, NULL, '[[0, 48, 0]]', NULL, NULL),
	(68, 25, 'xrwzjamp', 2, 27, NULL, 'supported', 0.9584, 0.9584, 'Chunk kb-002-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[49, 115, 0]]', NULL, NULL),
	(69, 25, 'xrwzjamp', 3, 21, NULL, 'supported', 0.7957, 0.7957, 'Chunk kb-002-2 comes closest; no chunk has “new”.', 'factual', 'medium', NULL, NULL, NULL, '[[116, 182, 0]]', NULL, NULL),
	(70, 26, 'xrwzjamp', 1, 13, NULL, 'supported', 0.7165, 0.7165, 'Chunk kb-003-1 has “available” where the answer has “accepted”.', 'factual', 'high', NULL, NULL, NULL, '[[0, 86, 0]]', NULL, NULL),
	(71, 26, 'xrwzjamp', 2, 14, NULL, 'supported', 0.95, 0.95, 'Chunk kb-003-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[87, 206, 0]]', NULL, NULL),
	(72, 27, 'xrwzjamp', 1, 25, NULL, 'supported', 0.95, 0.95, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[0, 53, 0]]', NULL, NULL),
	(73, 27, 'xrwzjamp', 2, 22, NULL, 'supported', 0.935, 0.935, 'Chunk kb-003-2 says this.', 'factual', 'high', NULL, NULL, NULL, '[[54, 138, 0]]', NULL, NULL),
	(74, 27, 'xrwzjamp', 3, 16, NULL, 'supported', 0.955, 0.955, 'Chunk kb-003-2 says this.', 'factual', 'medium', NULL, NULL, NULL, '[[139, 201, 0]]', NULL, NULL),
	(75, 28, 'xrwzjamp', 1, 24, NULL, 'supported', 0.7184, 0.7184, 'Chunk kb-004-1 comes closest.', 'factual', 'medium', NULL, NULL, NULL, '[[0, 62, 0]]', NULL, NULL),
	(76, 28, 'xrwzjamp', 2, 15, NULL, 'supported', 0.6873, 0.6873, 'Chunk kb-004-1 comes closest; no chunk has “colleague” and “start”.', 'factual', 'medium', NULL, NULL, NULL, '[[63, 165, 0]]', NULL, NULL),
	(77, 29, 'xrwzjamp', 1, 20, NULL, 'supported', 0.95, 0.95, 'Chunk kb-004-1 says this.', 'factual', 'low', NULL, NULL, NULL, '[[4, 30, 0]]', NULL, NULL),
	(78, 29, 'xrwzjamp', 2, 23, NULL, 'supported', 0.95, 0.95, 'Chunk kb-004-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[31, 104, 0]]', NULL, NULL),
	(79, 30, 'xrwzjamp', 1, 18, NULL, 'supported', 0.8478, 0.8478, 'Chunk kb-005-1 comes closest.', 'factual', 'high', NULL, NULL, NULL, '[[0, 109, 0]]', NULL, NULL),
	(80, 30, 'xrwzjamp', 2, 19, NULL, 'contradicted', 0.5852, 0.4148, 'Chunk kb-005-1 does not agree with this.', 'factual', 'medium', 'contradiction', 'high', NULL, '[[110, 154, 0]]', '[[129, 136, null, 0, 0]]', NULL),
	(81, 30, 'xrwzjamp', 3, 17, NULL, 'supported', 0.9653, 0.9653, 'Chunk kb-005-1 says this.', 'factual', 'high', NULL, NULL, NULL, '[[155, 221, 0]]', NULL, NULL);

INSERT INTO public.claim_review VALUES
	(6, 2, 'p5j8y458', NULL, 'reviewers', 1, false, false),
	(19, 7, 'p5j8y458', 'supported', 'reviewers', 1, false, false),
	(20, 7, 'p5j8y458', 'supported', 'reviewers', 1, false, false),
	(21, 8, 'p5j8y458', 'supported', 'reviewers', 1, false, false),
	(22, 8, 'p5j8y458', 'not_mentioned', 'reviewers', 1, false, false),
	(24, 9, 'p5j8y458', 'supported', 'reviewers', 1, false, false),
	(1, 1, 'p5j8y458', 'supported', 'reviewers', 2, false, false),
	(11, 4, 'p5j8y458', 'supported', 'reviewers', 2, false, false),
	(12, 4, 'p5j8y458', 'supported', 'reviewers', 1, false, false),
	(14, 5, 'p5j8y458', 'supported', 'disagreement', 2, false, false),
	(16, 6, 'p5j8y458', 'supported', 'disagreement', 2, false, false),
	(26, 10, 'p5j8y458', 'supported', 'reviewers', 2, false, false);

INSERT INTO public.claim_text VALUES
	(1, '1d0e203444b6eaa23fb14e611cca7129b24d4a8b447417a8f958dfa8d1f6dc09', 'Starter covers up to 5 seats and 2 inboxes', '''2'':8 ''5'':5 ''and'':7 ''cover'':2 ''inbox'':9 ''seat'':6 ''starter'':1 ''to'':4 ''up'':3'),
	(2, '1ec7251c1596d6932f0baf65086f20562b06268c229471db757d06fb9ea26d1b', 'Scale has no seat limit.', '''has'':2 ''limit'':5 ''no'':3 ''scale'':1 ''seat'':4'),
	(3, '40cd9a047c51d80e574d7851ecc6e8be771a6b3826992c1018f8cf8003176e71', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team.', '''30'':4 ''after'':11 ''and'':8 ''bill'':18 ''chariti'':2 ''get'':3 ''of'':14 ''off'':5 ''plan'':10 ''proof'':13 ''regist'':1 ''scale'':9 ''send'':12 ''status'':15 ''team'':7,19 ''the'':6,17 ''to'':16'),
	(4, '482c8cc9f78b750e67ad79d9b88e759c3fba0dbc33c30806668ffb8d5d0b3139', 'The discount cannot be combined with yearly billing.', '''be'':4 ''bill'':8 ''cannot'':3 ''combin'':5 ''discount'':2 ''the'':1 ''with'':6 ''year'':7'),
	(5, '5673c6f34aba4b552de86f4883f82c1a0d8d16599d7e5335e168a08230f32ce9', 'All prices are before tax.', '''all'':1 ''are'':3 ''befor'':4 ''price'':2 ''tax'':5'),
	(6, '759ebb600b06435af7389ffc7affe991e24b32c8209d6d4fd63520a4fcef76e5', 'Team covers up to 50 seats and 10 inboxes.', '''10'':8 ''50'':5 ''and'':7 ''cover'':2 ''inbox'':9 ''seat'':6 ''team'':1 ''to'':4 ''up'':3'),
	(7, '89f6da05a014039c46602d84b6cd1a6563db7b3d67805f2a18565b885f995608', 'The charity discount cannot be combined with yearly billing.', '''be'':5 ''bill'':9 ''cannot'':4 ''chariti'':2 ''combin'':6 ''discount'':3 ''the'':1 ''with'':7 ''year'':8'),
	(8, 'b1daf4f24294ab3bb671f8ff8bb3f85fda8c1fbde0d376c89dd8bc4eb625d70d', 'An invoice is also sent to the billing contact within 24 hours of each charge.', '''24'':11 ''also'':4 ''an'':1 ''bill'':8 ''charg'':15 ''contact'':9 ''each'':14 ''hour'':12 ''invoic'':2 ''is'':3 ''of'':13 ''sent'':5 ''the'':7 ''to'':6 ''within'':10'),
	(9, 'b5871ea92c638d59264cbb5087a8421d835b289a94acd19b9abcabc0426c94f0', 'The discount is renewed automatically for schools and hospitals.', '''and'':8 ''automat'':5 ''discount'':2 ''for'':6 ''hospit'':9 ''is'':3 ''renew'':4 ''school'':7 ''the'':1'),
	(10, 'be7bb130792010a63690cf2b2e3d7ec5866233833642b86f39162f3864b0880d', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39.', '''19'':10 ''39'':14 ''9'':3 ''a'':6 ''and'':11 ''cost'':2,9,13 ''month'':7 ''per'':4 ''scale'':12 ''seat'':5 ''starter'':1 ''team'':8'),
	(11, 'd3fe9f730fcadb88c57c485a608687fc6dd5caad5dbc265bdc98dd55aff07c43', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years.', '''7'':13 ''a'':6 ''as'':5 ''avail'':4 ''bill'':10 ''everi'':1 ''for'':12 ''invoic'':2,11 ''is'':3 ''pdf'':7 ''set'':9 ''under'':8 ''year'':14'),
	(12, 'd68bfe9f7efe59a67e0bf6d0e5fb6ce92dc56d47ddee5e85d68c350006ab95b2', 'If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228.', '''190'':18 ''228'':21 ''a'':13 ''by'':4 ''cost'':17 ''free'':11 ''get'':8 ''if'':1 ''instead'':19 ''month'':10 ''of'':20 ''pay'':3 ''seat'':16 ''so'':12 ''team'':15 ''the'':5 ''two'':9 ''year'':6,14 ''you'':2,7'),
	(13, '03289a1f3b692eed3feeb445b4472ec2f06db23583266e585894e88518a6b2fd', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear.', '''5'':13 ''accept'':5 ''and'':9 ''clear'':17 ''day'':15 ''debit'':3 ''direct'':2 ''euro'':7 ''in'':6 ''is'':4 ''onli'':8 ''sepa'':1 ''take'':10 ''to'':12,16 ''up'':11 ''work'':14'),
	(14, '1339b77b699378c8243082c437f250ad856aed5bc0c172df266c30ecf9221627', 'Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', '''000'':11 ''30'':16 ''5'':10 ''abov'':9 ''and'':12 ''arriv'':14 ''bank'':1 ''date'':21 ''day'':17 ''invoic'':20 ''is'':3 ''must'':13 ''of'':18 ''offer'':4 ''on'':5 ''scale'':7 ''subscript'':8 ''the'':19 ''transfer'':2 ''within'':15 ''year'':6'),
	(15, '14841e2ae752733646743abb25ef2403860b7378c3147340370b420939f44362', 'This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', '''amount'':4 ''and'':9 ''at'':7 ''can'':13 ''charg'':6 ''colleagu'':12 ''immedi'':18 ''is'':5 ''new'':11 ''onc'':8 ''pro'':2 ''rate'':3 ''seat'':17 ''start'':14 ''the'':16 ''this'':1 ''use'':15 ''your'':10'),
	(16, '4385d477deaf52b64645fcce37c40ab8eca21dfa85724c8811d4c40ef0616834', 'The old method is removed as soon as the new one is confirmed.', '''as'':6,8 ''confirm'':13 ''is'':4,12 ''method'':3 ''new'':10 ''old'':2 ''one'':11 ''remov'':5 ''soon'':7 ''the'':1,9'),
	(17, '4fbb30839bfa6f53ef2e4472fafc1a5ab46c223537d9b06802b4e0749735fe7b', 'If the third retry fails as well, the workspace becomes read-only.', '''as'':6 ''becom'':10 ''fail'':5 ''if'':1 ''onli'':12 ''read'':11 ''retri'':4 ''the'':2,8 ''third'':3 ''well'':7 ''workspac'':9'),
	(18, '5e5725b127e1c1c42f543e43bba8810013222f19fb256ed37beec65b68d0bb14', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time.', '''14'':12 ''3'':9 ''7'':10 ''a'':2 ''after'':8 ''again'':7 ''and'':11,14 ''bill'':17 ''brindlepost'':5 ''contact'':18 ''day'':13 ''each'':19 ''email'':15 ''fail'':4 ''if'':1 ''payment'':3 ''the'':16 ''time'':20 ''tri'':6'),
	(19, '6119d678f5f03198a60373c27cdc0f849699e1bc5367570aeff5bd6f0dd9265b', 'Sending replies is blocked during this time.', '''block'':4 ''dure'':5 ''is'':3 ''repli'':2 ''send'':1 ''this'':6 ''time'':7'),
	(20, '6f334c0843b2df32abd91da18b7b76f60bb67872f1964a2649fb4571e6d2e2df', 'Viewers do not use a seat.', '''a'':5 ''do'':2 ''not'':3 ''seat'':6 ''use'':4 ''viewer'':1'),
	(21, '6fcfaff4227350e1a9a4033d4977d39416b8ceb2ec8f49e26841c009e1f74b4e', 'A new company name or billing address appears on the next invoice.', '''a'':1 ''address'':7 ''appear'':8 ''bill'':6 ''compani'':3 ''invoic'':12 ''name'':4 ''new'':2 ''next'':11 ''on'':9 ''or'':5 ''the'':10'),
	(22, '7edb95859219fe781b6e309b57f339f466296b6085c7f4a6a7752a54a517e04f', 'Go to Settings > Billing > Payment method, choose Replace and enter the new details.', '''and'':9 ''bill'':4 ''choos'':7 ''detail'':13 ''enter'':10 ''go'':1 ''method'':6 ''new'':12 ''payment'':5 ''replac'':8 ''set'':3 ''the'':11 ''to'':2'),
	(23, '88978b91d7e531689220fb0a23802d4230e2ffdc2de716dc8b49c3258e549b03', 'A seat is used by every person with the role Owner, Admin, Lead or Agent.', '''a'':1 ''admin'':12 ''agent'':15 ''by'':5 ''everi'':6 ''is'':3 ''lead'':13 ''or'':14 ''owner'':11 ''person'':7 ''role'':10 ''seat'':2 ''the'':9 ''use'':4 ''with'':8'),
	(24, '99f139f2913402ffe9f94f5b50c09a961246580d3f82f2c22b008d902977b55a', 'You only pay for the days that are left in the billing period.', '''are'':8 ''bill'':12 ''day'':6 ''for'':4 ''in'':10 ''left'':9 ''onli'':2 ''pay'':3 ''period'':13 ''that'':7 ''the'':5,11 ''you'':1'),
	(25, 'b240e1b76ef9a2105d7a8201c6ef5aea9e55a7b3e0a7dcb2390a157a17fa9d0a', 'Only Owners and Admins can change the payment method.', '''admin'':4 ''and'':3 ''can'':5 ''chang'':6 ''method'':9 ''onli'':1 ''owner'':2 ''payment'':8 ''the'':7'),
	(26, 'ce696094fea3b891e423fa15920dc6141167a8e28169bb1fee7b4a73917170d1', 'Invoices that have been issued cannot be edited.', '''be'':7 ''been'':4 ''cannot'':6 ''edit'':8 ''have'':3 ''invoic'':1 ''issu'':5 ''that'':2'),
	(27, 'db45daa36e5bd695da074557ea10798ca858e2b8489cd0e5cc355739299c8c36', 'The billing team can cancel and reissue an invoice within 30 days.', '''30'':11 ''an'':8 ''and'':6 ''bill'':2 ''can'':4 ''cancel'':5 ''day'':12 ''invoic'':9 ''reissu'':7 ''team'':3 ''the'':1 ''within'':10'),
	(28, '2ad4b9f3acef98b1620ef9f52ac788763d3f8b715a8ec9a571ed2087a3a0a656', 'Team covers up to 50 seats and 100 inboxes.', '''100'':8 ''50'':5 ''and'':7 ''cover'':2 ''inbox'':9 ''seat'':6 ''team'':1 ''to'':4 ''up'':3'),
	(29, '389a3fce5b16d644f9b2a448d47232e0e6ddf58f4b4f3080fe66afa7fd9fa984', 'You can find every invoice as a PDF under Settings > Billing > Invoices for 7 years.', '''7'':14 ''a'':7 ''as'':6 ''bill'':11 ''can'':2 ''everi'':4 ''find'':3 ''for'':13 ''invoic'':5,12 ''pdf'':8 ''set'':10 ''under'':9 ''year'':15 ''you'':1'),
	(30, '2b1e3a5d27c998cad65fa58ebb0c18c34811bf330a8434fc8026f254e54473d7', 'The workspace works normally during this time.', '''dure'':5 ''normal'':4 ''the'':1 ''this'':6 ''time'':7 ''work'':3 ''workspac'':2');

INSERT INTO public.dataset VALUES
	(1, 'september', '2026-11-28 20:40:48.265616+00');

INSERT INTO public.dataset_tag VALUES
	(1, '0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, '7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, 'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, 'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603', 'hard', 'command line', '2026-11-28 20:41:14.25284+00'),
	(1, 'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142', 'hard', 'command line', '2026-11-28 20:41:14.25284+00');

INSERT INTO public.dataset_version VALUES
	(1, 1, 1, 'b70575c8d5163e4701fccdfda886bb39acd59715eb2eb77e1cd66ea74793e24e', 10, '2026-11-28 20:40:48.265616+00'),
	(2, 1, 2, '292c6c1d220f664ec973fbc966e0a314fca62d3643e99fca5d5144ed31610003', 10, '2026-11-28 20:40:52.826201+00');

INSERT INTO public.event VALUES
	(1, '2026-10-02 00:00:00+00', 'other', 'New index', NULL, '2026-11-28 20:41:06.712866+00', NULL);

INSERT INTO public.evidence VALUES
	(1, 0, 0, '', 29, 102, 0),
	(1, 1, 0, '', 103, 176, 0),
	(1, 2, 0, '', 177, 258, 0),
	(2, 0, 0, '', 29, 102, 0),
	(3, 0, 0, '', 103, 176, 0),
	(4, 0, 0, '', 177, 258, 0),
	(5, 0, 0, '', 259, 285, 0),
	(6, 0, 0, '', 0, 95, 0),
	(7, 0, 0, '', 206, 266, 0),
	(8, 0, 0, '', 96, 205, 0),
	(9, 0, 0, '', 206, 266, 0),
	(10, 0, 0, '', 206, 266, 0),
	(11, 0, 1, '', 142, 307, 0),
	(12, 0, 1, '', 142, 307, 0),
	(13, 0, 0, '', 216, 335, 0),
	(14, 0, 0, '', 216, 335, 0),
	(15, 0, 0, '', 83, 215, 0),
	(16, 0, 0, '', 66, 146, 0),
	(16, 1, 0, '', 0, 65, 0),
	(17, 0, 0, '', 147, 266, 0),
	(18, 0, 0, '', 0, 53, 0),
	(19, 0, 0, '', 54, 202, 0),
	(20, 0, 0, '', 54, 202, 0),
	(21, 0, 0, '', 101, 242, 0),
	(22, 0, 0, '', 101, 242, 0),
	(22, 1, 0, '', 243, 277, 0),
	(23, 0, 0, '', 74, 100, 0),
	(24, 0, 0, '', 0, 73, 0),
	(25, 0, 1, '', 0, 97, 0),
	(26, 0, 1, '', 145, 303, 0),
	(26, 1, 1, '', 98, 144, 0),
	(27, 0, 1, '', 145, 303, 0),
	(28, 0, 0, '', 29, 102, 0),
	(28, 1, 0, '', 103, 176, 0),
	(28, 2, 0, '', 177, 258, 0),
	(29, 0, 0, '', 29, 102, 0),
	(30, 0, 0, '', 103, 176, 0),
	(31, 0, 0, '', 177, 258, 0),
	(32, 0, 0, '', 259, 285, 0),
	(33, 0, 0, '', 0, 95, 0),
	(34, 0, 0, '', 206, 266, 0),
	(35, 0, 0, '', 96, 205, 0),
	(36, 0, 0, '', 206, 266, 0),
	(37, 0, 0, '', 206, 266, 0),
	(38, 0, 1, '', 142, 307, 0),
	(39, 0, 1, '', 142, 307, 0),
	(40, 0, 0, '', 216, 335, 0),
	(41, 0, 0, '', 216, 335, 0),
	(42, 0, 0, '', 83, 215, 0),
	(43, 0, 0, '', 66, 146, 0),
	(43, 1, 0, '', 0, 65, 0),
	(44, 0, 0, '', 147, 266, 0),
	(45, 0, 0, '', 0, 53, 0),
	(46, 0, 0, '', 54, 202, 0),
	(47, 0, 0, '', 54, 202, 0),
	(48, 0, 0, '', 101, 242, 0),
	(49, 0, 0, '', 101, 242, 0),
	(49, 1, 0, '', 243, 277, 0),
	(50, 0, 0, '', 74, 100, 0),
	(51, 0, 0, '', 0, 73, 0),
	(52, 0, 1, '', 0, 97, 0),
	(53, 0, 1, '', 98, 144, 0),
	(54, 0, 1, '', 145, 303, 0),
	(55, 0, 0, '', 29, 102, 0),
	(55, 1, 0, '', 103, 176, 0),
	(55, 2, 0, '', 177, 258, 0),
	(56, 0, 0, '', 29, 102, 0),
	(57, 0, 0, '', 103, 176, 0),
	(58, 0, 0, '', 177, 258, 0),
	(59, 0, 0, '', 259, 285, 0),
	(60, 0, 0, '', 0, 95, 0),
	(61, 0, 0, '', 206, 266, 0),
	(62, 0, 0, '', 96, 205, 0),
	(63, 0, 0, '', 206, 266, 0),
	(65, 0, 1, '', 142, 307, 0),
	(66, 0, 1, '', 142, 307, 0),
	(67, 0, 0, '', 216, 335, 0),
	(68, 0, 0, '', 216, 335, 0),
	(69, 0, 0, '', 83, 215, 0),
	(70, 0, 0, '', 66, 146, 0),
	(70, 1, 0, '', 0, 65, 0),
	(71, 0, 0, '', 147, 266, 0),
	(72, 0, 0, '', 0, 53, 0),
	(73, 0, 0, '', 54, 202, 0),
	(74, 0, 0, '', 54, 202, 0),
	(75, 0, 0, '', 101, 242, 0),
	(76, 0, 0, '', 101, 242, 0),
	(76, 1, 0, '', 243, 277, 0),
	(77, 0, 0, '', 74, 100, 0),
	(78, 0, 0, '', 0, 73, 0),
	(79, 0, 1, '', 0, 97, 0),
	(80, 0, 1, '', 145, 303, 0),
	(80, 1, 1, '', 98, 144, 0),
	(81, 0, 1, '', 145, 303, 0);

INSERT INTO public.inbox_claim VALUES
	(2, 1, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(3, 6, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(4, 2, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(5, 5, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(7, 7, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(8, 3, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(9, 4, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(10, 9, 'p5j8y458', 1, 3, 0, 0, 0, 0),
	(13, 26, 'p5j8y458', 1, 2, 0, 0, 0, 0),
	(15, 21, 'p5j8y458', 1, 2, 0, 0, 0, 0),
	(17, 14, 'p5j8y458', 1, 6, 0, 0, 0, 0),
	(18, 25, 'p5j8y458', 1, 6, 0, 0, 0, 0),
	(23, 20, 'p5j8y458', 1, 4, 0, 0, 0, 0),
	(25, 18, 'p5j8y458', 1, 5, 0, 0, 0, 0),
	(27, 17, 'p5j8y458', 1, 5, 0, 0, 0, 0),
	(28, 10, '45tyfagr', 1, 3, 1, 3, 0, 0.075),
	(29, 1, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(30, 28, '45tyfagr', 1, 3, 3, 2, 0, 1.85),
	(31, 2, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(32, 5, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(33, 12, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(34, 7, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(35, 3, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(36, 4, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(37, 9, '45tyfagr', 1, 3, 0, 0, 0, 0),
	(38, 29, '45tyfagr', 1, 2, 0, 0, 0, 0),
	(39, 8, '45tyfagr', 1, 2, 0, 0, 0, 0),
	(40, 26, '45tyfagr', 1, 2, 0, 0, 0, 0),
	(41, 27, '45tyfagr', 1, 2, 0, 0, 0, 0),
	(42, 21, '45tyfagr', 1, 2, 0, 0, 0, 0),
	(43, 13, '45tyfagr', 1, 6, 0, 0, 0, 0),
	(44, 14, '45tyfagr', 1, 6, 0, 0, 0, 0),
	(45, 25, '45tyfagr', 1, 6, 0, 0, 0, 0),
	(46, 22, '45tyfagr', 1, 6, 0, 0, 0, 0),
	(47, 16, '45tyfagr', 1, 6, 0, 0, 0, 0),
	(48, 24, '45tyfagr', 1, 4, 0, 0, 0, 0),
	(49, 15, '45tyfagr', 1, 4, 0, 0, 0, 0),
	(50, 20, '45tyfagr', 1, 4, 0, 0, 0, 0),
	(51, 23, '45tyfagr', 1, 4, 0, 0, 0, 0),
	(52, 18, '45tyfagr', 1, 5, 0, 0, 0, 0),
	(53, 30, '45tyfagr', 1, 5, 0, 0, 0, 0),
	(54, 17, '45tyfagr', 1, 5, 0, 0, 0, 0),
	(55, 10, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(56, 1, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(57, 6, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(58, 2, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(59, 5, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(60, 12, 'xrwzjamp', 1, 3, -2, 0, 0, 0),
	(61, 7, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(62, 3, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(63, 4, 'xrwzjamp', 1, 3, 0, 0, 0, 0),
	(64, 9, 'xrwzjamp', 1, NULL, 2, 1, 0, 0.4325),
	(65, 11, 'xrwzjamp', 1, 2, 0, 0, 0, 0),
	(66, 8, 'xrwzjamp', 1, 2, 0, 0, 0, 0),
	(67, 26, 'xrwzjamp', 1, 2, 0, 0, 0, 0),
	(68, 27, 'xrwzjamp', 1, 2, 0, 0, 0, 0),
	(69, 21, 'xrwzjamp', 1, 2, -2, 0, 0, 0),
	(70, 13, 'xrwzjamp', 1, 6, -2, 0, 0, 0),
	(71, 14, 'xrwzjamp', 1, 6, 0, 0, 0, 0),
	(72, 25, 'xrwzjamp', 1, 6, 0, 0, 0, 0),
	(73, 22, 'xrwzjamp', 1, 6, 0, 0, 0, 0),
	(74, 16, 'xrwzjamp', 1, 6, 0, 0, 0, 0),
	(75, 24, 'xrwzjamp', 1, 4, -2, 0, 0, 0),
	(76, 15, 'xrwzjamp', 1, 4, -2, 0, 0, 0),
	(77, 20, 'xrwzjamp', 1, 4, 0, 0, 0, 0),
	(78, 23, 'xrwzjamp', 1, 4, 0, 0, 0, 0),
	(79, 18, 'xrwzjamp', 1, 5, 0, 0, 0, 0),
	(80, 19, 'xrwzjamp', 1, 5, 3, 2, 0, 1.5852),
	(81, 17, 'xrwzjamp', 1, 5, 0, 0, 0, 0),
	(1, 10, 'p5j8y458', 1, 3, 0, 0, 1, 0),
	(6, 12, 'p5j8y458', 1, 3, -1, 0, 2, 0),
	(11, 11, 'p5j8y458', 1, 2, 0, 0, 1, 0),
	(12, 8, 'p5j8y458', 1, 2, 0, 0, 1, 0),
	(19, 22, 'p5j8y458', 1, 6, 0, 0, 1, 0),
	(20, 16, 'p5j8y458', 1, 6, 0, 0, 1, 0),
	(21, 24, 'p5j8y458', 1, 4, 0, 0, 1, 0),
	(22, 15, 'p5j8y458', 1, 4, 2, 0, 2, 0.5),
	(24, 23, 'p5j8y458', 1, 4, 0, 0, 1, 0),
	(26, 19, 'p5j8y458', 1, 5, 0, 0, 1, 0),
	(14, 27, 'p5j8y458', 1, 2, 0, 0, 3, 0),
	(16, 13, 'p5j8y458', 1, 6, 0, 0, 3, 0);

INSERT INTO public.inbox_name VALUES
	(1, 'Billing'),
	(2, 'Invoices and the billing cycle'),
	(3, 'Plans and prices'),
	(4, 'Adding and removing seats'),
	(5, 'Failed payments'),
	(6, 'Payment methods');

INSERT INTO public.kb_chunk VALUES
	('2026-09', 1, 4, 'kb-001-1', '{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-09"}'),
	('2026-09', 2, 8, 'kb-001-2', '{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-09"}'),
	('2026-09', 3, 5, 'kb-002-1', '{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-09"}'),
	('2026-09', 4, 3, 'kb-002-2', '{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-09"}'),
	('2026-09', 5, 2, 'kb-003-1', '{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-09"}'),
	('2026-09', 6, 6, 'kb-003-2', '{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-09"}'),
	('2026-09', 7, 7, 'kb-004-1', '{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-09"}'),
	('2026-09', 8, 1, 'kb-004-2', '{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-09"}'),
	('2026-10', 1, 4, 'kb-001-1', '{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-10"}'),
	('2026-10', 2, 8, 'kb-001-2', '{"title": "Plans and prices", "section": "Billing", "article_id": "kb-001", "kb_version": "2026-10"}'),
	('2026-10', 3, 5, 'kb-002-1', '{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-10"}'),
	('2026-10', 4, 3, 'kb-002-2', '{"title": "Invoices and the billing cycle", "section": "Billing", "article_id": "kb-002", "kb_version": "2026-10"}'),
	('2026-10', 5, 2, 'kb-003-1', '{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-10"}'),
	('2026-10', 6, 6, 'kb-003-2', '{"title": "Payment methods", "section": "Billing", "article_id": "kb-003", "kb_version": "2026-10"}'),
	('2026-10', 7, 7, 'kb-004-1', '{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-10"}'),
	('2026-10', 8, 1, 'kb-004-2', '{"title": "Adding and removing seats", "section": "Billing", "article_id": "kb-004", "kb_version": "2026-10"}');

INSERT INTO public.knowledge_base VALUES
	('2026-09', 'kb-2026-09.jsonl', '2026-11-28 20:40:44.303259+00', 8),
	('2026-10', 'kb-2026-10.jsonl', '2026-11-28 20:40:45.686651+00', 8);

INSERT INTO public.label VALUES
	(1, 'p5j8y458', 6, 16, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197629+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(2, 'p5j8y458', 1, 1, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197712+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.24000000000000002, NULL, NULL, false),
	(3, 'p5j8y458', 4, 11, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197763+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(4, 'p5j8y458', 5, 14, 'verdict', 'contradicted', 'reviewer', 'ada', '2026-11-28 20:41:02.197808+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false),
	(5, 'p5j8y458', 10, 26, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197853+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false),
	(6, 'p5j8y458', 8, 21, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197893+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(7, 'p5j8y458', 2, 6, 'not_a_claim', NULL, 'reviewer', 'ada', '2026-11-28 20:41:02.197931+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(8, 'p5j8y458', 4, 12, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.197979+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(9, 'p5j8y458', 7, 19, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.198023+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false),
	(10, 'p5j8y458', 8, 22, 'verdict', 'not_mentioned', 'reviewer', 'ada', '2026-11-28 20:41:02.198064+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(11, 'p5j8y458', 9, 24, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.198101+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(12, 'p5j8y458', 7, 20, 'verdict', 'supported', 'reviewer', 'ada', '2026-11-28 20:41:02.198137+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false),
	(13, 'p5j8y458', 6, 16, 'verdict', 'not_mentioned', 'reviewer', 'ben', '2026-11-28 20:41:03.8575+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(14, 'p5j8y458', 1, 1, 'verdict', 'supported', 'reviewer', 'ben', '2026-11-28 20:41:03.857614+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.24000000000000002, NULL, NULL, false),
	(15, 'p5j8y458', 4, 11, 'verdict', 'supported', 'reviewer', 'ben', '2026-11-28 20:41:03.857694+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.6000000000000001, NULL, NULL, false),
	(16, 'p5j8y458', 5, 14, 'verdict', 'supported', 'reviewer', 'ben', '2026-11-28 20:41:03.857765+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false),
	(17, 'p5j8y458', 10, 26, 'verdict', 'supported', 'reviewer', 'ben', '2026-11-28 20:41:03.857829+00', 'seen', NULL, NULL, NULL, NULL, NULL, false, true, 1, 0.4000000000000001, NULL, NULL, false);

INSERT INTO public.preflight VALUES
	('trh62nnr', 'p5j8y458', '2026-09', NULL, 'kb-2026-10.jsonl', '57b596c426db610df08ab732e99d997c700db7a654ff69b9ad4fd08b1a786e3e', 'db4bccb8d6cd6c9da50574ba97c7d5d791756cce958541f888dba2a8a2e5c468', '{"name": "lexical", "method": "claims", "options": {}}', 'lexical/9+59c6e31c', true, '2026-11-28 20:41:10.317017+00', '2026-11-28 20:41:10.317017+00', '{"added": 0, "edited": 0, "removed": 0, "unchanged": 4, "is_complete": true}', '[]', 0, 12);

INSERT INTO public.preflight_answer VALUES
	('trh62nnr', 1, false, '{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 3, false, '{"chunks": [[1, "foreign", null, []], [2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 4, false, '{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 5, false, '{"chunks": [[1, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 6, false, '{"chunks": [[1, "foreign", null, []], [2, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 7, false, '{"chunks": [[2, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 9, false, '{"chunks": [[1, "foreign", null, []]], "ahead": [], "entering": []}', NULL),
	('trh62nnr', 10, false, '{"chunks": [[0, "foreign", null, []], [1, "foreign", null, []], [3, "foreign", null, []]], "ahead": [], "entering": []}', NULL);

INSERT INTO public.result VALUES
	(1, 'p5j8y458', 1, 'judged', 'Billing', '2026-10-12 07:00:00+00', '5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d', 1, 1, true, 0.935116, 5, 5, 0, 0, 0, NULL, '[]', 0.05278127700012192, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.991903, NULL),
	(2, 'p5j8y458', 2, 'judged', 'Billing', '2026-10-12 07:00:41+00', 'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142', 1, 1, true, 0.966474, 2, 2, 0, 0, 0, NULL, '[]', 0.03023361800001112, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.99511, NULL),
	(3, 'p5j8y458', 3, 'judged', 'Billing', '2026-10-12 07:01:22+00', '0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb', 1, 1, true, 0.453468, 3, 3, 0, 0, 0, NULL, '[]', 0.022675398000046698, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.732574, NULL),
	(4, 'p5j8y458', 4, 'judged', 'Billing', '2026-10-12 07:02:03+00', '765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4', 1, 1, true, 0.95112, 2, 2, 0, 0, 0, NULL, '[]', 0.014719514000034906, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.993462, NULL),
	(5, 'p5j8y458', 5, 'judged', 'Billing', '2026-10-12 07:02:44+00', '7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce', 1, 1, true, 0.931158, 3, 3, 0, 0, 0, NULL, '[]', 0.021637815999838494, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.990119, NULL),
	(6, 'p5j8y458', 6, 'judged', 'Billing', '2026-10-12 07:03:25+00', '1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f', 1, 1, true, 0.953404, 2, 2, 0, 0, 0, NULL, '[]', 0.019326793000118414, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.993548, NULL),
	(7, 'p5j8y458', 7, 'judged', 'Billing', '2026-10-12 07:04:06+00', 'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603', 1, 1, true, 0.969, 3, 3, 0, 0, 0, NULL, '[]', 0.006760170999996262, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.996407, NULL),
	(8, 'p5j8y458', 8, 'judged', 'Billing', '2026-10-12 07:04:47+00', 'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9', 1, 1, true, 0.63452, 2, 2, 0, 0, 0, NULL, '[]', 0.0080626779999875, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.897456, NULL),
	(9, 'p5j8y458', 9, 'judged', 'Billing', '2026-10-12 07:05:28+00', '1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f', 1, 1, true, 0.97044, 2, 2, 0, 0, 0, NULL, '[]', 0.009802070999967327, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.995895, NULL),
	(10, 'p5j8y458', 10, 'judged', 'Billing', '2026-10-12 07:06:09+00', '110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff', 1, 1, true, 0.83934, 3, 3, 0, 0, 0, NULL, '[]', 0.033727438999903825, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.973049, NULL),
	(11, '45tyfagr', 1, 'judged', 'Billing', '2026-10-19 07:00:00+00', '5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d', 0.6, 0.5, false, 0.207498, 5, 3, 1, 0, 1, NULL, '[]', 0.031881053999995856, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 1.85, 0.3, NULL),
	(12, '45tyfagr', 2, 'judged', 'Billing', '2026-10-19 07:00:41+00', 'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142', 1, 1, true, 0.966474, 2, 2, 0, 0, 0, NULL, '[]', 0.01076641099984954, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.99511, NULL),
	(13, '45tyfagr', 3, 'judged', 'Billing', '2026-10-19 07:01:22+00', '0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb', 1, 1, true, 0.453468, 3, 3, 0, 0, 0, NULL, '[]', 0.014501424999934898, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.732574, NULL),
	(14, '45tyfagr', 4, 'judged', 'Billing', '2026-10-19 07:02:03+00', '765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4', 1, 1, true, 0.924032, 2, 2, 0, 0, 0, NULL, '[]', 0.008880003000058423, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.989069, NULL),
	(15, '45tyfagr', 5, 'judged', 'Billing', '2026-10-19 07:02:44+00', '7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce', 1, 1, true, 0.931158, 3, 3, 0, 0, 0, NULL, '[]', 0.009938481000062893, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.990119, NULL),
	(16, '45tyfagr', 6, 'judged', 'Billing', '2026-10-19 07:03:25+00', '1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f', 1, 1, true, 0.953779, 2, 2, 0, 0, 0, NULL, '[]', 0.020229920000019774, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.993618, NULL),
	(17, '45tyfagr', 7, 'judged', 'Billing', '2026-10-19 07:04:06+00', 'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603', 1, 1, true, 0.969, 3, 3, 0, 0, 0, NULL, '[]', 0.014013052999871434, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.996407, NULL),
	(18, '45tyfagr', 8, 'judged', 'Billing', '2026-10-19 07:04:47+00', 'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9', 1, 1, true, 0.63452, 2, 2, 0, 0, 0, NULL, '[]', 0.007903315000021394, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.897456, NULL),
	(19, '45tyfagr', 9, 'judged', 'Billing', '2026-10-19 07:05:28+00', '1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f', 1, 1, true, 0.97044, 2, 2, 0, 0, 0, NULL, '[]', 0.003493601999934981, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.995895, NULL),
	(20, '45tyfagr', 10, 'judged', 'Billing', '2026-10-19 07:06:09+00', '110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff', 1, 1, true, 0.924922, 3, 3, 0, 0, 0, NULL, '[]', 0.00943704299993442, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.988588, NULL),
	(21, 'xrwzjamp', 1, 'judged', 'Billing', '2026-10-12 07:00:00+00', '5452b7bdaed36867e27172ea8992888e39b75a9f1c45b08e232b2d3c469e7e3d', 1, 1, true, 0.9687, 5, 5, 0, 0, 0, NULL, '[]', 0.031219189000012193, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.9845, NULL),
	(22, 'xrwzjamp', 2, 'judged', 'Billing', '2026-10-12 07:00:41+00', 'effdae0e4147f05c1432a4a0169bd95ad7ed08b90d48db149de411959f17c142', 1, 1, true, 0.6698, 2, 2, 0, 0, 0, NULL, '[]', 0.06536428200001865, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.7932, NULL),
	(23, 'xrwzjamp', 3, 'judged', 'Billing', '2026-10-12 07:01:22+00', '0a7e7fd4d9e27a647772a507a33c89a409eb6b4b4e5974da7e08f48608dfa2fb', 0.6666666666666666, 0.6666666666666666, false, 0.1274, 3, 2, 0, 1, 0, NULL, '[]', 0.11182647800001178, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0.4325, 0.865, NULL),
	(24, 'xrwzjamp', 4, 'judged', 'Billing', '2026-10-12 07:02:03+00', '765490a33468f1baafa75bc8d83ed94fe5875937a723a61530751c8c08697ec4', 1, 1, true, 0.6724, 2, 2, 0, 0, 0, NULL, '[]', 0.09090746399988348, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.8001, NULL),
	(25, 'xrwzjamp', 5, 'judged', 'Billing', '2026-10-12 07:02:44+00', '7d01989aea70883a9d3c5689b24518186236f973ca02781a42d05f6bb86a16ce', 1, 1, true, 0.6644, 3, 3, 0, 0, 0, NULL, '[]', 0.09383289799984595, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.7957, NULL),
	(26, 'xrwzjamp', 6, 'judged', 'Billing', '2026-10-12 07:03:25+00', '1ed3292d83d16b312acdc3c4f388db139549f1c2cb700110ad59657be731322f', 1, 1, true, 0.5684, 2, 2, 0, 0, 0, NULL, '[]', 0.0741651420000835, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.7165, NULL),
	(27, 'xrwzjamp', 7, 'judged', 'Billing', '2026-10-12 07:04:06+00', 'c264d9d1460693a8c9922f3279a1d37da6fd8dcfaaaab63f75509b530d23f603', 1, 1, true, 0.8851, 3, 3, 0, 0, 0, NULL, '[]', 0.18850716700012526, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.935, NULL),
	(28, 'xrwzjamp', 8, 'judged', 'Billing', '2026-10-12 07:04:47+00', 'a9810b242277a162dfb71b953c0641bc67b718f1bdeedf552efcfce8033ff2e9', 1, 1, true, 0.5546, 2, 2, 0, 0, 0, NULL, '[]', 0.10510824199991475, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.6873, NULL),
	(29, 'xrwzjamp', 9, 'judged', 'Billing', '2026-10-12 07:05:28+00', '1b6dcbd76233b51271223a30e06d577f58cd2aa83d2c29c6e6a22c9d20fa914f', 1, 1, true, 0.9105, 2, 2, 0, 0, 0, NULL, '[]', 0.09155046299997593, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0.95, NULL),
	(30, 'xrwzjamp', 10, 'judged', 'Billing', '2026-10-12 07:06:09+00', '110b64db81c6b45b5a2a1db1a98e693f127e103f80d9ea0a485f531094f89dff', 0.6666666666666666, 0.3333333333333333, false, 0.2981, 3, 2, 0, 0, 1, NULL, '[]', 0.11106914500010134, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 1.5852, 0.5852, NULL);

INSERT INTO public.run VALUES
	('xrwzjamp', 'september, read', 'complete', 'embedded', 'claims', '{}', 'embedded/5+59c6e31c+79da60a2+41c7b7ab+8e344fb8', 0.8, '2026-09', '2026-w42.jsonl', '2026-11-28 20:40:56.824892+00', '2026-10-12 07:06:09+00', '2026-11-28 20:40:58.011969+00', '2026-11-28 20:40:57.985445+00', NULL, false, 1.0506621329998325, NULL, 10, 6, '{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 25, "partially_supported": 0, "not_mentioned": 1, "contradicted": 1}, "score": [0.9333333333333333, [0.6784277868414402, 0.9893507425963336], [0.9333333333333333, 0.9333333333333333], 10, 0], "weighted": 0.9, "faithful_rows": 8, "segments": [["Billing", 10, [0.9333333333333333, [0.6784277868414402, 0.9893507425963336], [0.9333333333333333, 0.9333333333333333], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.07407407407407407, "inclusion": [1.0, 1.0], "decided_by": {}}', 6, NULL, true, 0, 'september', NULL, NULL, NULL),
	('p5j8y458', 'september', 'complete', 'lexical', 'claims', '{}', 'lexical/9+59c6e31c', 0.8, '2026-09', '2026-w42.jsonl', '2026-11-28 20:40:48.265616+00', '2026-10-12 07:06:09+00', '2026-11-28 20:40:49.0628+00', '2026-11-28 20:40:48.981399+00', NULL, false, 0.3283513999999741, NULL, 10, 5, '{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 27, "partially_supported": 0, "not_mentioned": 0, "contradicted": 0}, "score": [1.0, [0.6614913773398168, 1.0], [1.0, 1.0], 10, 0], "weighted": 1.0, "faithful_rows": 10, "segments": [["Billing", 10, [1.0, [0.6614913773398168, 1.0], [1.0, 1.0], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.0, "inclusion": [1.0, 1.0], "decided_by": {}}', 5, NULL, true, 0, 'september', NULL, NULL, NULL),
	('45tyfagr', 'october', 'complete', 'lexical', 'claims', '{}', 'lexical/9+59c6e31c', 0.8, '2026-10', '2026-w43.jsonl', '2026-11-28 20:40:52.826201+00', '2026-10-19 07:06:09+00', '2026-11-28 20:40:53.531191+00', '2026-11-28 20:40:53.459183+00', NULL, false, 0.22747936400014623, NULL, 10, 5, '{"layout": 5, "rows": 10, "states": {"pending": 0, "judged": 10, "no_claims": 0, "abstained": 0, "empty_context": 0, "failed": 0}, "claims": {"supported": 25, "partially_supported": 1, "not_mentioned": 0, "contradicted": 1}, "score": [0.96, [0.6648704044817759, 0.9965675164640193], [0.96, 0.96], 10, 0], "weighted": 0.95, "faithful_rows": 9, "segments": [["Billing", 10, [0.96, [0.6648704044817759, 0.9965675164640193], [0.96, 0.96], 10, 0], {"judged": 10}]], "usage": {"llm_calls": 0, "cached_calls": 0, "prompt_tokens": 0, "cached_prompt_tokens": 0, "completion_tokens": 0, "cost_usd": null}, "hallucination_rate": 0.07407407407407407, "inclusion": [1.0, 1.0], "decided_by": {}}', 5, NULL, true, 0, 'september', NULL, NULL, NULL);

INSERT INTO public.run_dataset VALUES
	('p5j8y458', 1),
	('45tyfagr', 2),
	('xrwzjamp', 1);

INSERT INTO public.sample VALUES
	(1, 'p5j8y458', 1, 'bil-01', 'How much does each Brindlepost plan cost?', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.', '{}', '46ad0ffecb2f3b0ec2c7b98916f34b179138de51d146a8c49b1d132446c2fc90', '2c0d2a8ef5072955a4b6e3a1459dd0550939870a34e807d0633835e748417bba', '9b1297217e1c96f3d7030f34eead6cab711cedd855153864320d848eb5aeb82c'),
	(2, 'p5j8y458', 2, 'bil-02', 'Is it cheaper to pay for a Team seat by the year?', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', '{}', '35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', '03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663'),
	(3, 'p5j8y458', 3, 'bil-03', 'Do charities get a discount?', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.', '{}', 'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac', 'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35', 'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19'),
	(4, 'p5j8y458', 4, 'bil-04', 'Where can I find my old invoices?', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', '{}', 'c5ef90d05f3102e636606412bb06190b7a3595b1047a56f8e45e4b942be383e9', '4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c', 'a77b9412c5fccda9106d4d2aab27686e35221d24d8d8a817c396ce9a7d327014'),
	(5, 'p5j8y458', 5, 'bil-05', 'Can an invoice be corrected after it was issued?', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', '{}', 'd497e8aee877cae4d3e948d09ac3a20b0852b83caa897e9696511ddbe8eafd7b', 'c248ac3329a23581d5d930ffa8deb396fcb9809f0d98ab6590a18d972cd11398', 'a206e86b50ba7c14d52d28d26b7c7762b13cd6a37ad6c974ad11516b90b041be'),
	(6, 'p5j8y458', 6, 'bil-06', 'Can we pay by direct debit or bank transfer?', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', '{}', '2c0df83b66c1459c14dd7e3712a2cf1df425867cbe4c82fe3c85b777a2897aab', '4b04d9ae5ca61b9e1725df9a8e9f090dd14fe194dc70d0f5cb79f5be30fd3d23', 'eff1a793bad0dd38b625973fcdcbf993b07e2a3adba720eeacbb2ba99b2ecfae'),
	(7, 'p5j8y458', 7, 'bil-07', 'Who is allowed to change the payment method?', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', '{}', '8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65', 'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034', '9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f'),
	(8, 'p5j8y458', 8, 'bil-08', 'What do I pay when I add a seat in the middle of the month?', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', '{}', '5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', 'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01'),
	(9, 'p5j8y458', 9, 'bil-09', 'Do Viewers need a paid seat?', 'No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', 'No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', '{}', '68447963667f4f15ab61b0a7b2f2630f37f7ef51e805ed14fa0408e78dc6c4ab', 'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76', '14e1fcfa866a11dc91f35d92e83785ee9d6746e4b1f00b2c29ba2572ab333695'),
	(10, 'p5j8y458', 10, 'bil-10', 'What happens if a payment fails?', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. Sending replies is blocked during this time. If the third retry fails as well, the workspace becomes read-only.', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.', '{}', '01b42e7cf3f4742fe0af56bcd97b3e10801ee261fe8f364a13562e26f5f7ac88', '7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e', '6062a363942ae09f1d22271b51b54998445abe5e9777291cf55742b8e7351f37'),
	(11, '45tyfagr', 1, 'bil-01', 'How much does each Brindlepost plan cost?', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 100 inboxes. Scale has no seat limit. All prices are before tax.', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.', '{}', 'b623304f51d1b5ea95e074f8baf63270360585580fa686bf662f8fef4063b497', '09783a608056c71f6e1842ff3041fddd3e508400b3b367955246540a775d100d', '3dfdbd0bf5e3361ec3afb951bb4f82ae22c6c65eef46a2259cc240cedf6ce285'),
	(12, '45tyfagr', 2, 'bil-02', 'Is it cheaper to pay for a Team seat by the year?', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', '{}', '35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', '03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663'),
	(13, '45tyfagr', 3, 'bil-03', 'Do charities get a discount?', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.', '{}', 'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac', 'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35', 'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19'),
	(14, '45tyfagr', 4, 'bil-04', 'Where can I find my old invoices?', 'You can find every invoice as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', '{}', 'b56e7c0de0b937f75b265c67c87f1759275ead4c63d1d0e6d1807053be5f9fbb', '4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c', 'b14dfd5a1684824b6835b1534f85987feca5a6bb2a259d102b953ea29b2e27bc'),
	(15, '45tyfagr', 5, 'bil-05', 'Can an invoice be corrected after it was issued?', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', '{}', 'e56050290a224f64e4a628de1c7dcf946badcf480c782afccd96e7421da347fe', 'bbd1dd6d0f1cc6d7a0d5c5becb86a6bcd8a929aa310ac93c17b7d8d08f6bf331', '42af39acdc6501c18148f0f82bb6c92c65fc39c3fc322008ad8717129303bcfb'),
	(16, '45tyfagr', 6, 'bil-06', 'Can we pay by direct debit or bank transfer?', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', '{}', 'c9c5ed066755974560b0bd182a72d05ef5c270e65ba425311833259784d0bc64', 'fe60a45b3d5cd206c40e77af49fb87f8585d09a9cebdafba0b51978b2d068606', '6de6c519783064026210940bd2f55278aeb9ead1c23a96e2c17ed9ff8bc8e04c'),
	(17, '45tyfagr', 7, 'bil-07', 'Who is allowed to change the payment method?', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', '{}', '8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65', 'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034', '9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f'),
	(18, '45tyfagr', 8, 'bil-08', 'What do I pay when I add a seat in the middle of the month?', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', '{}', '5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', 'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01'),
	(19, '45tyfagr', 9, 'bil-09', 'Do Viewers need a paid seat?', 'Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', 'No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', '{}', 'ac54d53abadbd41009aa7bf4937de209c2f957dfb89d9b4dcc3fbea20d874fc3', 'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76', '9e7d7534d6ef3254b8e1cc1dcf5df5f72b6528103958e2a8b146dc6663d2f59f'),
	(20, '45tyfagr', 10, 'bil-10', 'What happens if a payment fails?', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.', '{}', '0fd5b85caa335e9c75a3b70a1a24e5d11c1154eb95429e6b6648e683fbffd133', '7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e', '388617d5dc493bbd21c3a0190467e22b317b6cee4e843019020f7568d19eaff5'),
	(21, 'xrwzjamp', 1, 'bil-01', 'How much does each Brindlepost plan cost?', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.', 'Starter costs €9 per seat a month, Team costs €19 and Scale costs €39. Starter covers up to 5 seats and 2 inboxes, while Team covers up to 50 seats and 10 inboxes. Scale has no seat limit. All prices are before tax.', '{}', '46ad0ffecb2f3b0ec2c7b98916f34b179138de51d146a8c49b1d132446c2fc90', '2c0d2a8ef5072955a4b6e3a1459dd0550939870a34e807d0633835e748417bba', '9b1297217e1c96f3d7030f34eead6cab711cedd855153864320d848eb5aeb82c'),
	(22, 'xrwzjamp', 2, 'bil-02', 'Is it cheaper to pay for a Team seat by the year?', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', 'Yes. If you pay by the year you get two months free, so a yearly Team seat costs €190 instead of €228. The charity discount cannot be combined with yearly billing.', '{}', '35116b36b63f017cc0ff4ae6fe1f2aa54c7c32d50ed69596586ce7d7149d3a12', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', '03aac1b491ae63e7f99381722ea72a0ac03076834d57e2f70370c33944586663'),
	(23, 'xrwzjamp', 3, 'bil-03', 'Do charities get a discount?', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing. The discount is renewed automatically for schools and hospitals.', 'Registered charities get 30 % off the Team and Scale plans after sending proof of status to the billing team. The discount cannot be combined with yearly billing.', '{}', 'b8414acace9610d7ee4962bf1c154289511878e7f864fccd2e9a1e2e9ce37aac', 'bfacdd55d39bb8c0697db8bdae5a4f569a56944cd58a0d4c5ab8a2553c2e2f35', 'f9e4267a371e3ae36ecd00d799da479e267059f14196c5de8f78fcc7c92b3b19'),
	(24, 'xrwzjamp', 4, 'bil-04', 'Where can I find my old invoices?', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', 'Every invoice is available as a PDF under Settings > Billing > Invoices for 7 years. An invoice is also sent to the billing contact within 24 hours of each charge.', '{}', 'c5ef90d05f3102e636606412bb06190b7a3595b1047a56f8e45e4b942be383e9', '4e6ba244db76445861968e88b18e3a038cc9f1bb438e1789c37bed7d6d5f035c', 'a77b9412c5fccda9106d4d2aab27686e35221d24d8d8a817c396ce9a7d327014'),
	(25, 'xrwzjamp', 5, 'bil-05', 'Can an invoice be corrected after it was issued?', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', 'Invoices that have been issued cannot be edited. The billing team can cancel and reissue an invoice within 30 days. A new company name or billing address appears on the next invoice.', '{}', 'd497e8aee877cae4d3e948d09ac3a20b0852b83caa897e9696511ddbe8eafd7b', 'c248ac3329a23581d5d930ffa8deb396fcb9809f0d98ab6590a18d972cd11398', 'a206e86b50ba7c14d52d28d26b7c7762b13cd6a37ad6c974ad11516b90b041be'),
	(26, 'xrwzjamp', 6, 'bil-06', 'Can we pay by direct debit or bank transfer?', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', 'SEPA direct debit is accepted, in euros only, and takes up to 5 working days to clear. Bank transfer is offered on yearly Scale subscriptions above €5,000 and must arrive within 30 days of the invoice date.', '{}', '2c0df83b66c1459c14dd7e3712a2cf1df425867cbe4c82fe3c85b777a2897aab', '4b04d9ae5ca61b9e1725df9a8e9f090dd14fe194dc70d0f5cb79f5be30fd3d23', 'eff1a793bad0dd38b625973fcdcbf993b07e2a3adba720eeacbb2ba99b2ecfae'),
	(27, 'xrwzjamp', 7, 'bil-07', 'Who is allowed to change the payment method?', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', 'Only Owners and Admins can change the payment method. Go to Settings > Billing > Payment method, choose Replace and enter the new details. The old method is removed as soon as the new one is confirmed.', '{}', '8dfb606d6c7dbf7577d89cfdfdcdae5e93aa10145cfdfd65e3216063a9526d65', 'c81f517ef876e1460c456545942d171d04e9c16f53d51ff61301eadb7a217034', '9c18a7d370971044e6b20d9d08c3a2b6b9a39018cbd239a3734f3442682fc36f'),
	(28, 'xrwzjamp', 8, 'bil-08', 'What do I pay when I add a seat in the middle of the month?', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', 'You only pay for the days that are left in the billing period. This pro-rated amount is charged at once, and your new colleague can start using the seat immediately.', '{}', '5dc93c59ce78e63a24284e7157921661163fb4ff5ca58a576979eb66a8885206', '1863ee8bd0327e3329ca12384b5ebd74726e287cead39a8353b5f702335b1e3e', 'ce6ac48574d0a9bac5084e9d946150b445d626adf8db0568656e5579f3281c01'),
	(29, 'xrwzjamp', 9, 'bil-09', 'Do Viewers need a paid seat?', 'No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', 'No, Viewers do not use a seat. A seat is used by every person with the role Owner, Admin, Lead or Agent.', '{}', '68447963667f4f15ab61b0a7b2f2630f37f7ef51e805ed14fa0408e78dc6c4ab', 'b7987c75846268de8dbf59f1e78e7c1b36ad67f8a95d683b805607f900b40e76', '14e1fcfa866a11dc91f35d92e83785ee9d6746e4b1f00b2c29ba2572ab333695'),
	(30, 'xrwzjamp', 10, 'bil-10', 'What happens if a payment fails?', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. Sending replies is blocked during this time. If the third retry fails as well, the workspace becomes read-only.', 'If a payment fails, Brindlepost tries again after 3, 7 and 14 days and emails the billing contacts each time. The workspace works normally during this time. If the third retry fails as well, the workspace becomes read-only.', '{}', '01b42e7cf3f4742fe0af56bcd97b3e10801ee261fe8f364a13562e26f5f7ac88', '7d720283b3324b99ceb69b56939b9f19ded79044b96206f73b5c5417f7252c0e', '6062a363942ae09f1d22271b51b54998445abe5e9777291cf55742b8e7351f37');

INSERT INTO public.sample_chunk VALUES
	(1, 0, 4, 'kb-001-1', 1, 9.5622, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(1, 1, 8, 'kb-001-2', 2, 5.4503, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(1, 2, 18, 'kb-026-1', 3, 5.3137, '{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-09"}'),
	(1, 3, 16, 'kb-005-1', 4, 4.6061, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(2, 0, 8, 'kb-001-2', 1, 10.6398, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(2, 1, 7, 'kb-004-1', 2, 8.9631, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(2, 2, 4, 'kb-001-1', 3, 5.8324, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(2, 3, 1, 'kb-004-2', 4, 4.9502, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(3, 0, 8, 'kb-001-2', 1, 12.586, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(3, 1, 17, 'kb-031-1', 2, 2.2582, '{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-09"}'),
	(3, 2, 11, 'kb-010-2', 3, 2.1649, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(3, 3, 20, 'kb-014-2', 4, 2.1649, '{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(4, 0, 3, 'kb-002-2', 1, 5.0108, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(4, 1, 5, 'kb-002-1', 2, 4.8574, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(4, 2, 10, 'kb-008-2', 3, 3.9473, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}'),
	(4, 3, 13, 'kb-012-2', 4, 3.7052, '{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(5, 0, 3, 'kb-002-2', 1, 8.7537, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(5, 1, 10, 'kb-008-2', 2, 7.2073, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}'),
	(5, 2, 5, 'kb-002-1', 3, 4.8574, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(5, 3, 15, 'kb-019-1', 4, 4.8273, '{"title": "Attachments", "section": "Inboxes", "kb_version": "2026-09"}'),
	(6, 0, 2, 'kb-003-1', 1, 18.3233, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(6, 1, 12, 'kb-016-1', 2, 5.0638, '{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-09"}'),
	(6, 2, 19, 'kb-053-1', 3, 4.1788, '{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-09"}'),
	(6, 3, 7, 'kb-004-1', 4, 4.0658, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(7, 0, 6, 'kb-003-2', 1, 13.3758, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(7, 1, 2, 'kb-003-1', 2, 7.4433, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(7, 2, 16, 'kb-005-1', 3, 5.0562, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(7, 3, 9, 'kb-005-2', 4, 4.5927, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(8, 0, 7, 'kb-004-1', 1, 16.4142, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(8, 1, 8, 'kb-001-2', 2, 9.2844, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(8, 2, 4, 'kb-001-1', 3, 8.177, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(8, 3, 1, 'kb-004-2', 4, 7.6697, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(9, 0, 7, 'kb-004-1', 1, 7.4249, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(9, 1, 11, 'kb-010-2', 2, 5.1919, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(9, 2, 1, 'kb-004-2', 3, 4.9502, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(9, 3, 3, 'kb-002-2', 4, 4.896, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(10, 0, 9, 'kb-005-2', 1, 8.8433, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(10, 1, 16, 'kb-005-1', 2, 8.6329, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(10, 2, 6, 'kb-003-2', 3, 5.3629, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(10, 3, 14, 'kb-039-2', 4, 4.3374, '{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-09"}'),
	(11, 0, 4, 'kb-001-1', 1, 9.4324, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(11, 1, 8, 'kb-001-2', 2, 5.3014, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(11, 2, 18, 'kb-026-1', 3, 5.1694, '{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-10"}'),
	(11, 3, 22, 'kb-057-1', 4, 4.8795, '{"title": "Accepting and returning handovers", "section": "Handovers", "kb_version": "2026-10"}'),
	(12, 0, 8, 'kb-001-2', 1, 10.6616, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(12, 1, 7, 'kb-004-1', 2, 8.9239, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(12, 2, 4, 'kb-001-1', 3, 5.5745, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(12, 3, 1, 'kb-004-2', 4, 4.7637, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(13, 0, 8, 'kb-001-2', 1, 12.9792, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(13, 1, 17, 'kb-031-1', 2, 2.3265, '{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-10"}'),
	(13, 2, 11, 'kb-010-2', 3, 2.2304, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-10"}'),
	(13, 3, 20, 'kb-014-2', 4, 2.2304, '{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-10"}'),
	(14, 0, 3, 'kb-002-2', 1, 5.2491, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}'),
	(14, 1, 5, 'kb-002-1', 2, 5.0884, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}'),
	(14, 2, 10, 'kb-008-2', 3, 4.1353, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-10"}'),
	(14, 3, 13, 'kb-012-2', 4, 3.8504, '{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-10"}'),
	(15, 0, 3, 'kb-002-2', 1, 9.1259, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}'),
	(15, 1, 10, 'kb-008-2', 2, 6.7731, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-10"}'),
	(15, 2, 5, 'kb-002-1', 3, 5.0884, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}'),
	(15, 3, 23, 'kb-017-2', 4, 4.425, '{"title": "Forwarding and domain records", "section": "Inboxes", "kb_version": "2026-10"}'),
	(16, 0, 2, 'kb-003-1', 1, 18.9816, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}'),
	(16, 1, 12, 'kb-016-1', 2, 5.2446, '{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-10"}'),
	(16, 2, 19, 'kb-053-1', 3, 4.4179, '{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-10"}'),
	(16, 3, 21, 'kb-052-1', 4, 4.231, '{"title": "Transferring a conversation to another inbox", "section": "Conversations", "kb_version": "2026-10"}'),
	(17, 0, 6, 'kb-003-2', 1, 13.9105, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}'),
	(17, 1, 2, 'kb-003-1', 2, 7.7588, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}'),
	(17, 2, 16, 'kb-005-1', 3, 5.2645, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}'),
	(17, 3, 9, 'kb-005-2', 4, 4.7992, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}'),
	(18, 0, 7, 'kb-004-1', 1, 16.5401, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(18, 1, 8, 'kb-001-2', 2, 9.376, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(18, 2, 4, 'kb-001-1', 3, 8.0633, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-10"}'),
	(18, 3, 1, 'kb-004-2', 4, 7.502, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(19, 0, 7, 'kb-004-1', 1, 7.3854, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(19, 1, 11, 'kb-010-2', 2, 5.2271, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-10"}'),
	(19, 2, 1, 'kb-004-2', 3, 4.7637, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-10"}'),
	(19, 3, 3, 'kb-002-2', 4, 4.701, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-10"}'),
	(20, 0, 9, 'kb-005-2', 1, 9.2293, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}'),
	(20, 1, 16, 'kb-005-1', 2, 9.008, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-10"}'),
	(20, 2, 6, 'kb-003-2', 3, 5.6038, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-10"}'),
	(20, 3, 14, 'kb-039-2', 4, 4.5205, '{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-10"}'),
	(21, 0, 4, 'kb-001-1', 1, 9.5622, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(21, 1, 8, 'kb-001-2', 2, 5.4503, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(21, 2, 18, 'kb-026-1', 3, 5.3137, '{"title": "Rule actions and limits", "section": "Automation", "kb_version": "2026-09"}'),
	(21, 3, 16, 'kb-005-1', 4, 4.6061, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(22, 0, 8, 'kb-001-2', 1, 10.6398, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(22, 1, 7, 'kb-004-1', 2, 8.9631, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(22, 2, 4, 'kb-001-1', 3, 5.8324, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(22, 3, 1, 'kb-004-2', 4, 4.9502, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(23, 0, 8, 'kb-001-2', 1, 12.586, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(23, 1, 17, 'kb-031-1', 2, 2.2582, '{"title": "Satisfaction surveys", "section": "Automation", "kb_version": "2026-09"}'),
	(23, 2, 11, 'kb-010-2', 3, 2.1649, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(23, 3, 20, 'kb-014-2', 4, 2.1649, '{"title": "Teams", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(24, 0, 3, 'kb-002-2', 1, 5.0108, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(24, 1, 5, 'kb-002-1', 2, 4.8574, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(24, 2, 10, 'kb-008-2', 3, 3.9473, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}'),
	(24, 3, 13, 'kb-012-2', 4, 3.7052, '{"title": "Transferring ownership", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(25, 0, 3, 'kb-002-2', 1, 8.7537, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(25, 1, 10, 'kb-008-2', 2, 7.2073, '{"title": "Taxes and VAT", "section": "Billing", "kb_version": "2026-09"}'),
	(25, 2, 5, 'kb-002-1', 3, 4.8574, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(25, 3, 15, 'kb-019-1', 4, 4.8273, '{"title": "Attachments", "section": "Inboxes", "kb_version": "2026-09"}'),
	(26, 0, 2, 'kb-003-1', 1, 18.3233, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(26, 1, 12, 'kb-016-1', 2, 5.0638, '{"title": "Connecting an email address", "section": "Inboxes", "kb_version": "2026-09"}'),
	(26, 2, 19, 'kb-053-1', 3, 4.1788, '{"title": "Transfers in rules, reports and the apps", "section": "Conversations", "kb_version": "2026-09"}'),
	(26, 3, 7, 'kb-004-1', 4, 4.0658, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(27, 0, 6, 'kb-003-2', 1, 13.3758, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(27, 1, 2, 'kb-003-1', 2, 7.4433, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(27, 2, 16, 'kb-005-1', 3, 5.0562, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(27, 3, 9, 'kb-005-2', 4, 4.5927, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(28, 0, 7, 'kb-004-1', 1, 16.4142, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(28, 1, 8, 'kb-001-2', 2, 9.2844, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(28, 2, 4, 'kb-001-1', 3, 8.177, '{"title": "Plans and prices", "section": "Billing", "kb_version": "2026-09"}'),
	(28, 3, 1, 'kb-004-2', 4, 7.6697, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(29, 0, 7, 'kb-004-1', 1, 7.4249, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(29, 1, 11, 'kb-010-2', 2, 5.1919, '{"title": "Inviting people", "section": "Accounts and roles", "kb_version": "2026-09"}'),
	(29, 2, 1, 'kb-004-2', 3, 4.9502, '{"title": "Adding and removing seats", "section": "Billing", "kb_version": "2026-09"}'),
	(29, 3, 3, 'kb-002-2', 4, 4.896, '{"title": "Invoices and the billing cycle", "section": "Billing", "kb_version": "2026-09"}'),
	(30, 0, 9, 'kb-005-2', 1, 8.8433, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(30, 1, 16, 'kb-005-1', 2, 8.6329, '{"title": "Failed payments", "section": "Billing", "kb_version": "2026-09"}'),
	(30, 2, 6, 'kb-003-2', 3, 5.3629, '{"title": "Payment methods", "section": "Billing", "kb_version": "2026-09"}'),
	(30, 3, 14, 'kb-039-2', 4, 4.3374, '{"title": "Webhooks", "section": "Integrations", "kb_version": "2026-09"}');

INSERT INTO public.sample_review VALUES
	(2, 'p5j8y458', 1, 1, true, 1, 1, 0, 0, 0, 1, 0),
	(7, 'p5j8y458', 1, 1, true, 3, 3, 0, 0, 0, 2, 0),
	(8, 'p5j8y458', 0.5, 0.5, false, 2, 1, 0, 1, 0, 2, 0.5),
	(9, 'p5j8y458', 1, 1, true, 2, 2, 0, 0, 0, 1, 0),
	(1, 'p5j8y458', 1, 1, true, 5, 5, 0, 0, 0, 1, 0),
	(4, 'p5j8y458', 1, 1, true, 2, 2, 0, 0, 0, 2, 0),
	(5, 'p5j8y458', 1, 1, true, 3, 3, 0, 0, 0, 1, 0),
	(6, 'p5j8y458', 1, 1, true, 2, 2, 0, 0, 0, 1, 0),
	(10, 'p5j8y458', 1, 1, true, 3, 3, 0, 0, 0, 1, 0);

INSERT INTO public.spot_check VALUES
	(1, 'Spot-check', '2026-11-28 20:41:00.62016+00', 'command line', true, 1, '{"size": 12, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 1, "runs": {"p5j8y458": {"strata": [{"name": "all", "units": 27, "weight": 1.0000000000000002, "judged": 1.0000000000000002}], "labels_per_unit": 1.0, "answers": 10, "judged_by_another": 0, "first": null}}}', NULL),
	(2, 'Spot-check', '2026-11-28 20:41:05.464357+00', 'command line', true, 1, '{"size": 6, "unit": "claim", "strata": "none", "prefers_uncertain": false, "regressed_first": false, "regressed_against": null, "seed": 2, "runs": {"45tyfagr": {"strata": [{"name": "all", "units": 27, "weight": 1.0000000000000002, "judged": 0.9600000000000002}], "labels_per_unit": 1.0, "answers": 10, "judged_by_another": 0, "first": null}}}', NULL);

INSERT INTO public.spot_check_item VALUES
	(1, 1, 1, 'p5j8y458', 16, 'all', 0.6000000000000001, false),
	(2, 1, 2, 'p5j8y458', 1, 'all', 0.24000000000000002, false),
	(3, 1, 3, 'p5j8y458', 11, 'all', 0.6000000000000001, false),
	(4, 1, 4, 'p5j8y458', 14, 'all', 0.4000000000000001, false),
	(5, 1, 5, 'p5j8y458', 26, 'all', 0.4000000000000001, false),
	(6, 1, 6, 'p5j8y458', 21, 'all', 0.6000000000000001, false),
	(7, 1, 7, 'p5j8y458', 6, 'all', 0.6000000000000001, false),
	(8, 1, 8, 'p5j8y458', 12, 'all', 0.6000000000000001, false),
	(9, 1, 9, 'p5j8y458', 19, 'all', 0.4000000000000001, false),
	(10, 1, 10, 'p5j8y458', 22, 'all', 0.6000000000000001, false),
	(11, 1, 11, 'p5j8y458', 24, 'all', 0.6000000000000001, false),
	(12, 1, 12, 'p5j8y458', 20, 'all', 0.4000000000000001, false),
	(13, 2, 1, '45tyfagr', 44, 'all', 0.30000000000000004, true),
	(14, 2, 2, '45tyfagr', 28, 'all', 0.12000000000000001, true),
	(15, 2, 3, '45tyfagr', 30, 'all', 0.12000000000000001, true),
	(16, 2, 4, '45tyfagr', 33, 'all', 0.30000000000000004, true),
	(17, 2, 5, '45tyfagr', 54, 'all', 0.20000000000000004, true),
	(18, 2, 6, '45tyfagr', 42, 'all', 0.20000000000000004, true);

SELECT pg_catalog.setval('public.alert_id_seq', 1, false);

SELECT pg_catalog.setval('public.alert_rule_id_seq', 1, true);

SELECT pg_catalog.setval('public.audit_entry_id_seq', 13, true);

SELECT pg_catalog.setval('public.bench_id_seq', 1, false);

SELECT pg_catalog.setval('public.chunk_id_seq', 23, true);

SELECT pg_catalog.setval('public.claim_id_seq', 81, true);

SELECT pg_catalog.setval('public.claim_text_id_seq', 30, true);

SELECT pg_catalog.setval('public.dataset_id_seq', 1, true);

SELECT pg_catalog.setval('public.dataset_version_id_seq', 2, true);

SELECT pg_catalog.setval('public.event_id_seq', 1, true);

SELECT pg_catalog.setval('public.inbox_name_id_seq', 6, true);

SELECT pg_catalog.setval('public.inbox_tab_id_seq', 1, false);

SELECT pg_catalog.setval('public.label_id_seq', 17, true);

SELECT pg_catalog.setval('public.live_window_id_seq', 1, false);

SELECT pg_catalog.setval('public.logged_answer_id_seq', 1, false);

SELECT pg_catalog.setval('public.note_id_seq', 1, false);

SELECT pg_catalog.setval('public.pair_choice_id_seq', 1, false);

SELECT pg_catalog.setval('public.sample_id_seq', 30, true);

SELECT pg_catalog.setval('public.saved_mapping_id_seq', 1, false);

SELECT pg_catalog.setval('public.spot_check_id_seq', 2, true);

SELECT pg_catalog.setval('public.spot_check_item_id_seq', 18, true);

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

ALTER TABLE ONLY public.inbox_name
    ADD CONSTRAINT pk_inbox_name PRIMARY KEY (id);

ALTER TABLE ONLY public.inbox_tab
    ADD CONSTRAINT pk_inbox_tab PRIMARY KEY (id);

ALTER TABLE ONLY public.kb_chunk
    ADD CONSTRAINT pk_kb_chunk PRIMARY KEY (version, "position");

ALTER TABLE ONLY public.knowledge_base
    ADD CONSTRAINT pk_knowledge_base PRIMARY KEY (version);

ALTER TABLE ONLY public.knowledge_decision
    ADD CONSTRAINT pk_knowledge_decision PRIMARY KEY (kind, finding);

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

ALTER TABLE ONLY public.preflight
    ADD CONSTRAINT pk_preflight PRIMARY KEY (id);

ALTER TABLE ONLY public.preflight_answer
    ADD CONSTRAINT pk_preflight_answer PRIMARY KEY (preflight_id, "row");

ALTER TABLE ONLY public.preflight_passage
    ADD CONSTRAINT pk_preflight_passage PRIMARY KEY (preflight_id, number);

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

ALTER TABLE ONLY public.inbox_name
    ADD CONSTRAINT uq_inbox_name_name UNIQUE (name);

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

CREATE INDEX ix_claim_hallucination ON public.claim USING btree (run_id, hallucination_type, sample_id) WHERE (hallucination_type IS NOT NULL);

CREATE INDEX ix_claim_review_run ON public.claim_review USING btree (run_id, source);

CREATE INDEX ix_claim_review_sample_id ON public.claim_review USING btree (sample_id);

CREATE INDEX ix_claim_text_words ON public.claim_text USING gin (words);

CREATE INDEX ix_comparison_candidate_id ON public.comparison USING btree (candidate_id);

CREATE INDEX ix_dataset_held_out_subject ON public.dataset_held_out USING btree (subject);

CREATE INDEX ix_dataset_version_content_hash ON public.dataset_version USING btree (content_hash);

CREATE INDEX ix_event_at ON public.event USING btree (at);

CREATE INDEX ix_inbox_assignment_reviewer ON public.inbox_assignment USING btree (reviewer);

CREATE INDEX ix_inbox_claim_document ON public.inbox_claim USING btree (document_id, run_id, verdict, error_type, label_state, segment_id, text_id);

CREATE INDEX ix_inbox_claim_facets ON public.inbox_claim USING btree (run_id, verdict, error_type, label_state, segment_id, text_id);

CREATE INDEX ix_inbox_claim_open ON public.inbox_claim USING btree (text_id, verdict, run_id, error_type, label_state, segment_id, document_id, harm) WHERE (verdict > 0);

CREATE INDEX ix_inbox_claim_text ON public.inbox_claim USING btree (text_id, verdict, run_id, error_type, label_state, segment_id, document_id, harm);

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

CREATE INDEX ix_preflight_content_hash ON public.preflight USING btree (content_hash);

CREATE INDEX ix_preflight_run_id ON public.preflight USING btree (run_id);

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

ALTER TABLE ONLY public.preflight_answer
    ADD CONSTRAINT fk_preflight_answer_preflight_id FOREIGN KEY (preflight_id) REFERENCES public.preflight(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.preflight_passage
    ADD CONSTRAINT fk_preflight_passage_preflight_id FOREIGN KEY (preflight_id) REFERENCES public.preflight(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.preflight
    ADD CONSTRAINT fk_preflight_run_id FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;

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
