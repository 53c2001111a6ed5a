"""The database itself numbers, chains and keeps activities, so that no code can forget to."""

from django.db import migrations

CHAIN = """
CREATE FUNCTION members_activity_said(row_ members_activity) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT string_agg(octet_length(word) || ':' || word, ',' ORDER BY place)
    FROM unnest(ARRAY[
        row_.prev_hash, row_.id::text, row_.chain::text, row_.number::text,
        round(extract(epoch FROM row_.at) * 1000)::bigint::text,
        row_.actor_type, coalesce(row_.actor_id::text, ''), row_.actor_name, row_.door,
        coalesce(row_.token_id::text, ''), row_.token_name, row_.token_hash,
        coalesce(host(row_.ip), ''), row_.agent, row_.action, row_.project, row_.target, row_.details,
        row_.status::text, row_.reason, coalesce(row_.request_id::text, '')
    ]) WITH ORDINALITY AS words(word, place)
$$;

CREATE FUNCTION members_activity_chain() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    last_number bigint;
    last_hash text;
BEGIN
    -- One writer of a chain at a time: the lock is held until the row is committed.
    PERFORM pg_advisory_xact_lock(hashtextextended('activity:' || NEW.chain::text, 0));
    SELECT number, hash INTO last_number, last_hash
    FROM members_activity WHERE chain = NEW.chain ORDER BY number DESC LIMIT 1;
    NEW.number := coalesce(last_number, 0) + 1;
    NEW.prev_hash := coalesce(last_hash, '');
    NEW.at := date_trunc('milliseconds', clock_timestamp());
    NEW.hash := encode(sha256(convert_to(members_activity_said(NEW), 'UTF8')), 'hex');
    -- A read stands in the log before its answer leaves, but does not wait for the disk: a crash of the
    -- database can lose the rows of its last half second, never one of a change.
    IF NEW.action IN ('brain.read', 'brain.grep', 'brain.search', 'brain.changes', 'brain.resolve') THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER activity_chain BEFORE INSERT ON members_activity
FOR EACH ROW EXECUTE FUNCTION members_activity_chain();
"""

KEEP = """
CREATE FUNCTION members_activity_stays() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'activities are only ever added: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER activity_stays BEFORE UPDATE OR DELETE ON members_activity
FOR EACH ROW EXECUTE FUNCTION members_activity_stays();

CREATE TRIGGER activity_is_never_emptied BEFORE TRUNCATE ON members_activity
FOR EACH STATEMENT EXECUTE FUNCTION members_activity_stays();
"""

UNDONE = """
DROP TRIGGER activity_is_never_emptied ON members_activity;
DROP TRIGGER activity_stays ON members_activity;
DROP TRIGGER activity_chain ON members_activity;
DROP FUNCTION members_activity_stays(), members_activity_chain(), members_activity_said(members_activity);
"""


def make_auditors(apps, schema_editor):
    apps.get_model("auth", "Group").objects.get_or_create(name="auditor")


class Migration(migrations.Migration):
    dependencies = [("members", "0002_tokens_and_activity")]

    operations = [
        migrations.RunSQL(CHAIN + KEEP, UNDONE),
        migrations.RunSQL(
            "ALTER TABLE members_ratewindow SET UNLOGGED", "ALTER TABLE members_ratewindow SET LOGGED"
        ),
        migrations.RunPython(make_auditors, migrations.RunPython.noop),
    ]
