import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('interactions', '0007_evidence_attention_and_plugin_health'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='lost_wake',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='device',
            name='lost_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.DateTimeField()),
                ('device', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='presence', to='interactions.device')),
            ],
        ),
    ]
