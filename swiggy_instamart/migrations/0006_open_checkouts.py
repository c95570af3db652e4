from django.db import migrations


def mark(apps, schema_editor):
    """What is under way at this upgrade keeps its plugin from being switched off, like every checkout after it."""
    checkpoints = apps.get_model("interactions", "Checkpoint").objects
    intents = apps.get_model("swiggy_instamart", "CheckoutIntent").objects
    for intent in intents.filter(resolved_at=None):
        checkpoints.filter(pk=intent.checkpoint).update(open_since=intent.created_at)


class Migration(migrations.Migration):
    dependencies = [
        ("interactions", "0003_checkpoint_versions"),
        ("swiggy_instamart", "0005_recovery_and_settlement"),
    ]
    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
