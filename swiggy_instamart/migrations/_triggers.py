"""An intent's event is appended and never changed, but for its personal words, which may be removed.

SQLite rebuilds a table to alter it and loses its triggers: a later migration that alters IntentEvent runs ``create`` again.
"""

TABLE = "swiggy_instamart_intentevent"
KEPT = ("intent_id", "sequence", "name", "at", "facts", "digests", "previous", "hash")


def _rules(unequal):
    changed = " OR ".join(f"NEW.{column} {unequal} OLD.{column}" for column in KEPT)
    return {"intent_event_stays": ("UPDATE", f"WHEN ({changed})", "an event of an intent never changes")}


def create(apps, schema_editor):
    drop(apps, schema_editor)
    vendor = schema_editor.connection.vendor
    for name, (act, when, message) in _rules("IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM").items():
        if vendor == "sqlite":
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {act} ON {TABLE} FOR EACH ROW {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
        else:
            schema_editor.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
            )
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {act} ON {TABLE} FOR EACH ROW {when} EXECUTE FUNCTION {name}()"
            )


def drop(apps, schema_editor):
    for name in _rules("IS NOT"):
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {TABLE}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}()")
