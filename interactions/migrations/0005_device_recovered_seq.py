from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interactions", "0004_recovery_and_alarms")]

    operations = [migrations.AddField("device", "recovered_seq", models.BigIntegerField(null=True))]
