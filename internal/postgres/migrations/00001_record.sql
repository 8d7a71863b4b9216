-- Every row belongs to a team, or to a person who is in none. Whose a connection is, is said by its login alone, which
-- nobody changes in a transaction: so it holds behind a pool of connections too.

-- +goose Up

CREATE TABLE nebula.members (
	person       name PRIMARY KEY,               -- a login
	team         text NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION nebula.team() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$$ SELECT coalesce((SELECT 'team ' || m.team FROM nebula.members m WHERE m.person = session_user), 'person ' || session_user) $$;
-- +goose StatementEnd

CREATE TABLE nebula.sessions (
	team         text COLLATE "C" NOT NULL,
	id           text COLLATE "C" NOT NULL,
	place        bigint GENERATED ALWAYS AS IDENTITY, -- in the order of their beginnings
	person       name NOT NULL DEFAULT session_user,  -- who began it
	project      text NOT NULL,
	model        text NOT NULL,
	title        text NOT NULL,                  -- the first request, one line
	messages     bigint NOT NULL DEFAULT 0,
	began        bigint NOT NULL,                -- nanoseconds since 1970, like all moments here
	last         bigint NOT NULL,
	ended        bigint NOT NULL DEFAULT 0,
	outcome      text NOT NULL DEFAULT '',       -- how the last turn ended
	files        bigint NOT NULL DEFAULT 0,      -- changed, over all turns
	wrote        bigint NOT NULL DEFAULT 0,      -- files, as often as they were written
	done         bigint NOT NULL DEFAULT 0,      -- actions that succeeded
	seq          bigint NOT NULL DEFAULT 0,      -- of the last event
	chain        bytea NOT NULL,                 -- of the last event
	PRIMARY KEY (team, id)
);
CREATE INDEX ON nebula.sessions (team, project);

CREATE TABLE nebula.events (
	team         text COLLATE "C" NOT NULL,
	session      text COLLATE "C" NOT NULL,
	seq          bigint NOT NULL,                -- from 1, without gaps
	at           bigint NOT NULL,
	type         text NOT NULL,
	data         text NOT NULL,                  -- JSON
	chain        bytea NOT NULL,                 -- hash over the previous chain and this row
	person       name NOT NULL DEFAULT session_user, -- whose nebula wrote it
	PRIMARY KEY (team, session, seq)
);

CREATE TABLE nebula.contents (
	team         text COLLATE "C" NOT NULL,
	hash         text COLLATE "C" NOT NULL,      -- SHA-256 of the plain bytes
	size         bigint NOT NULL,                -- of the plain bytes
	codec        text NOT NULL,                  -- '' plain, 'deflate', 'parts' where content_parts has it
	data         bytea NOT NULL,
	held         bigint NOT NULL,                -- when kept, in seconds; 0 once an event names it
	PRIMARY KEY (team, hash)
);
CREATE TABLE nebula.content_parts (
	team         text COLLATE "C" NOT NULL,
	hash         text COLLATE "C" NOT NULL,
	part         bigint NOT NULL,                -- from 0
	data         bytea NOT NULL,
	PRIMARY KEY (team, hash, part)
);
CREATE TABLE nebula.content_uses (
	team         text COLLATE "C" NOT NULL,
	session      text COLLATE "C" NOT NULL,
	hash         text COLLATE "C" NOT NULL,
	PRIMARY KEY (team, session, hash)
);
CREATE INDEX ON nebula.content_uses (team, hash);

-- What was counted stays when a session goes: it moves to the session ''.
CREATE TABLE nebula.spoken (
	team         text COLLATE "C" NOT NULL,
	session      text COLLATE "C" NOT NULL,
	model        text COLLATE "C" NOT NULL,
	server       text COLLATE "C" NOT NULL,
	protocol     text COLLATE "C" NOT NULL,
	dialect      text COLLATE "C" NOT NULL,
	counts       bigint[] NOT NULL,              -- replies, strict, repaired, inferred, corrected, extracted, failed, actions, tokens
	PRIMARY KEY (team, session, model, server, protocol, dialect)
);
CREATE TABLE nebula.tallies (                 -- of sessions that went
	team         text COLLATE "C" NOT NULL,
	project      text NOT NULL,
	sessions     bigint NOT NULL,
	wrote        bigint NOT NULL,
	done         bigint NOT NULL,
	PRIMARY KEY (team, project)
);

CREATE TABLE nebula.notes (
	team         text COLLATE "C" NOT NULL,
	id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	project      text NOT NULL,                  -- a folder; '' for what holds for the person everywhere
	at           bigint NOT NULL,
	text         text NOT NULL
);
CREATE UNIQUE INDEX ON nebula.notes (team, project, md5(text));

CREATE TABLE nebula.plans (
	team         text COLLATE "C" NOT NULL,
	project      text NOT NULL,
	id           text COLLATE "C" NOT NULL,
	name         text NOT NULL,
	status       text NOT NULL,
	steps        bigint NOT NULL,
	done         bigint NOT NULL,                -- steps completed or skipped
	version      bigint NOT NULL,                -- counts changes
	changed      bigint NOT NULL,
	data         text NOT NULL,                  -- JSON, without the steps
	PRIMARY KEY (team, project, id)
);
CREATE TABLE nebula.plan_steps (
	team         text COLLATE "C" NOT NULL,
	project      text NOT NULL,
	plan         text COLLATE "C" NOT NULL,
	place        bigint NOT NULL,                -- in the plan, from 0
	data         text NOT NULL,                  -- JSON, with its tasks
	PRIMARY KEY (team, project, plan, place)
);

-- follow moves the end of a session's chain on, if it is where the writer saw it.
-- +goose StatementBegin
CREATE FUNCTION nebula.follow(of text, session text, was bigint, link bytea, now_seq bigint, now_link bytea, now_messages bigint, now_last bigint,
	now_ended bigint, now_model text, now_title text, now_outcome text, now_files bigint, more_wrote bigint, more_done bigint) RETURNS void LANGUAGE plpgsql AS
$$ BEGIN
	UPDATE nebula.sessions s SET seq = now_seq, chain = now_link, messages = now_messages, last = now_last, ended = now_ended, model = now_model,
		title = now_title, outcome = now_outcome, files = now_files, wrote = s.wrote + more_wrote, done = s.done + more_done
		WHERE s.team = of AND s.id = session AND s.seq = was AND s.chain = link;
	IF NOT FOUND THEN
		RAISE EXCEPTION USING ERRCODE = 'NB001', MESSAGE = 'the session ends elsewhere';
	END IF;
END $$;
-- +goose StatementEnd

-- Nobody sees or writes a row of another team, the owner of the tables included, and nobody writes in another's name or
-- changes an event.
-- +goose StatementBegin
DO $$ DECLARE t text; BEGIN
	FOREACH t IN ARRAY ARRAY['sessions', 'events', 'contents', 'content_parts', 'content_uses', 'spoken', 'tallies', 'notes', 'plans', 'plan_steps'] LOOP
		EXECUTE format('ALTER TABLE nebula.%I ENABLE ROW LEVEL SECURITY', t);
		EXECUTE format('ALTER TABLE nebula.%I FORCE ROW LEVEL SECURITY', t);
		EXECUTE format('CREATE POLICY team ON nebula.%I USING (team = (SELECT nebula.team()))', t);
		EXECUTE format('GRANT SELECT, INSERT, DELETE ON nebula.%I TO PUBLIC', t);
		IF t NOT IN ('events', 'content_parts', 'content_uses') THEN
			EXECUTE format('GRANT UPDATE ON nebula.%I TO PUBLIC', t);
		END IF;
	END LOOP;
END $$;
-- +goose StatementEnd
CREATE POLICY person ON nebula.events AS RESTRICTIVE FOR INSERT WITH CHECK (person = session_user);
CREATE POLICY person ON nebula.sessions AS RESTRICTIVE FOR INSERT WITH CHECK (person = session_user);
GRANT USAGE ON SCHEMA nebula TO PUBLIC;
GRANT SELECT ON nebula.goose_db_version TO PUBLIC;
