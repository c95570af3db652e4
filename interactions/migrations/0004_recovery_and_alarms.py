from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("interactions", "0003_checkpoint_versions")]

    operations = [
        migrations.AddField(
            model_name="interactionsession",
            name="recovered_upto",
            field=models.BigIntegerField(null=True),
        ),
        migrations.CreateModel(
            name="Alarm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cause", models.CharField(max_length=64, unique=True)),
                ("text", models.CharField(max_length=300)),
                ("created_at", models.DateTimeField()),
                ("next_at", models.DateTimeField()),
                ("attempts", models.IntegerField(default=0)),
                ("last_error", models.CharField(blank=True, max_length=80)),
                ("sent_at", models.DateTimeField(null=True)),
            ],
            options={"indexes": [models.Index(fields=["sent_at", "next_at"], name="alarm_waiting")]},
        ),
    ]
