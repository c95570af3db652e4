from django.db import migrations

from swiggy_instamart.migrations import _triggers


class Migration(migrations.Migration):
    dependencies = [("swiggy_instamart", "0001_initial")]
    operations = [migrations.RunPython(_triggers.create, _triggers.drop)]
