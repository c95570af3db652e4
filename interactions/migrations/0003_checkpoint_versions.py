from django.db import migrations, models

from interactions.migrations import _triggers


class Migration(migrations.Migration):
    dependencies = [("interactions", "0002_checkpoint_triggers")]
    operations = [
        migrations.AddField("checkpoint", "version", models.IntegerField(null=True)),
        migrations.AddField("checkpoint", "open_since", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "checkpoint",
            models.Index(
                fields=["open_since"], condition=models.Q(("open_since__isnull", False)), name="checkpoint_still_open"
            ),
        ),
        migrations.RunPython(_triggers.create, migrations.RunPython.noop),
    ]
