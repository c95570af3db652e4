"""What the schema's own words cannot say about a checkpoint, as triggers for SQLite and PostgreSQL alike.

SQLite rebuilds a table to alter it and loses its triggers: a later migration that alters Checkpoint runs ``create`` again
after its last operation, and so does one that adds a column named here (tests/flows/test_constraints.py looks at the migrated database and says so).
"""

TABLE = "interactions_checkpoint"
ORDER = "CASE {row}.state WHEN 'staged' THEN 0 WHEN 'started' THEN 1 ELSE 2 END"
# Once begun, what was asked for stays; once settled, what came of it stays.
ASKED = ("session_id", "revision", "effect", "policy", "payload", "payload_hash", "consent_id", "version")
SETTLED = ("state", "outcome", "result", "attempts", "fence", "started_at", "settled_at")

BACKWARD = f"{ORDER.format(row='NEW')} < {ORDER.format(row='OLD')}"


def _differs(columns, unequal):
    return " OR ".join(f"NEW.{column} {unequal} OLD.{column}" for column in columns)


def _rules(unequal, known=frozenset((*ASKED, *SETTLED))):
    asked, settled = ([name for name in names if name in known] for names in (ASKED, SETTLED))
    return {
        "checkpoint_goes_forward": (BACKWARD, "a checkpoint never goes back"),
        "checkpoint_begun_stays": (
            f"OLD.state <> 'staged' AND ({_differs(asked, unequal)})",
            "a begun checkpoint keeps what was asked",
        ),
        "checkpoint_settled_stays": (
            f"OLD.state = 'settled' AND ({_differs(settled, unequal)})",
            "a settled checkpoint never changes",
        ),
    }


def create(apps, schema_editor):
    drop(apps, schema_editor)
    vendor = schema_editor.connection.vendor
    known = {field.column for field in apps.get_model("interactions", "Checkpoint")._meta.concrete_fields}
    for name, (when, message) in _rules("IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM", known).items():
        if vendor == "sqlite":
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {TABLE} FOR EACH ROW WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
        else:
            schema_editor.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
            )
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE UPDATE ON {TABLE} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION {name}()"
            )


def drop(apps, schema_editor):
    for name in _rules("IS NOT"):
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {name} ON {TABLE}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {name}()")
