from django.db import migrations

from interactions.migrations import _triggers


class Migration(migrations.Migration):
    dependencies = [("interactions", "0001_initial")]
    operations = [migrations.RunPython(_triggers.create, _triggers.drop)]
