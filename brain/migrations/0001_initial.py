import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('members', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Source',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='brain', to='members.project')),
                ('branch', models.CharField(blank=True, max_length=200)),
                ('enabled', models.BooleanField(default=True)),
                ('wiki', models.BooleanField(default=False)),
                ('include', models.TextField(blank=True, help_text='Globs as in .gitignore, one a line: index only what matches.')),
                ('exclude', models.TextField(blank=True, help_text='Globs as in .gitignore, one a line: never index what matches.')),
                ('state', models.CharField(choices=[('not-built', 'Not Built'), ('queued', 'Queued'), ('indexing', 'Indexing'), ('ready', 'Ready'), ('failed', 'Failed'), ('off', 'Off')], default='not-built', editable=False, max_length=10)),
                ('generation', models.IntegerField(default=0, editable=False)),
                ('attempted_commit', models.CharField(blank=True, editable=False, max_length=40)),
                ('attempts', models.IntegerField(default=0, editable=False)),
                ('heartbeat', models.DateTimeField(editable=False, null=True)),
                ('progress', models.JSONField(editable=False, null=True)),
                ('error', models.CharField(blank=True, editable=False, max_length=500)),
                ('commit', models.CharField(blank=True, editable=False, max_length=40, verbose_name='indexed commit')),
                ('built_at', models.DateTimeField(editable=False, null=True)),
                ('whole_built_at', models.DateTimeField(editable=False, null=True)),
                ('last_build', models.CharField(blank=True, editable=False, max_length=11)),
                ('incremental_builds', models.IntegerField(default=0, editable=False)),
                ('refs_complete', models.BooleanField(default=False, editable=False)),
                ('builder', models.IntegerField(default=0, editable=False, verbose_name='builder version')),
                ('settings_hash', models.CharField(blank=True, editable=False, max_length=64)),
                ('tree_hash', models.CharField(blank=True, editable=False, max_length=64)),
                ('counts', models.JSONField(default=dict, editable=False)),
                ('left_out', models.JSONField(default=list, editable=False)),
                ('broken', models.JSONField(default=dict, editable=False)),
            ],
            options={
                'verbose_name': 'Brain',
            },
        ),
        migrations.CreateModel(
            name='Node',
            fields=[
                ('pk', models.CompositePrimaryKey('source_id', 'key', blank=True, editable=False, primary_key=True, serialize=False)),
                ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='nodes', to='brain.source')),
                ('key', models.UUIDField()),
                ('parent', models.UUIDField(null=True)),
                ('document', models.UUIDField(null=True)),
                ('kind', models.CharField(max_length=8)),
                ('node_id', models.TextField()),
                ('path', models.TextField(db_collation='C')),
                ('sort', models.TextField(db_collation='C')),
                ('title', models.TextField()),
                ('summary', models.CharField(blank=True, max_length=240)),
                ('summary_source', models.CharField(blank=True, max_length=12)),
                ('line_start', models.IntegerField(null=True)),
                ('line_end', models.IntegerField(null=True)),
                ('subtree_end', models.IntegerField(null=True)),
                ('size', models.IntegerField()),
                ('level', models.SmallIntegerField()),
                ('children', models.IntegerField()),
                ('name_key', models.BigIntegerField(null=True)),
                ('title_key', models.BigIntegerField()),
                ('reference_key', models.BigIntegerField(null=True)),
                ('number', models.BigIntegerField(null=True)),
                ('reference_id', models.CharField(max_length=128, null=True)),
                ('labels', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list)),
                ('status', models.TextField(blank=True)),
                ('space', models.CharField(blank=True, max_length=32)),
                ('order', models.IntegerField(null=True)),
                ('blob', models.CharField(blank=True, max_length=40)),
                ('changed_commit', models.CharField(blank=True, max_length=40)),
                ('changed_at', models.DateTimeField(null=True)),
                ('changed_subject', models.CharField(max_length=240, null=True)),
                ('outgoing_links', models.IntegerField(default=0)),
                ('home', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('pk', models.CompositePrimaryKey('source_id', 'from_node', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='links', to='brain.source')),
                ('from_node', models.UUIDField()),
                ('position', models.IntegerField()),
                ('to_node', models.UUIDField()),
                ('kind', models.CharField(max_length=7)),
                ('line', models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Ref',
            fields=[
                ('pk', models.CompositePrimaryKey('source_id', 'document', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='refs', to='brain.source')),
                ('document', models.UUIDField()),
                ('position', models.IntegerField()),
                ('anchor', models.TextField(blank=True)),
                ('kind', models.CharField(max_length=7)),
                ('target', models.TextField()),
                ('line', models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='Text',
            fields=[
                ('pk', models.CompositePrimaryKey('source_id', 'key', blank=True, editable=False, primary_key=True, serialize=False)),
                ('source', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='texts', to='brain.source')),
                ('key', models.UUIDField()),
                ('document', models.UUIDField()),
                ('vector', django.contrib.postgres.search.SearchVectorField()),
            ],
        ),
        migrations.CreateModel(
            name='Problem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='problems', to='brain.source')),
                ('path', models.TextField(blank=True)),
                ('line', models.IntegerField(null=True)),
                ('code', models.CharField(max_length=32)),
                ('severity', models.CharField(max_length=7)),
                ('message', models.CharField(max_length=500)),
            ],
        ),
        migrations.CreateModel(
            name='Build',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='builds', to='brain.source')),
                ('number', models.IntegerField()),
                ('commit', models.CharField(blank=True, max_length=40)),
                ('kind', models.CharField(max_length=11)),
                ('asked_by', models.CharField(blank=True, max_length=200)),
                ('started_at', models.DateTimeField()),
                ('seconds', models.JSONField(default=dict)),
                ('counts', models.JSONField(default=dict)),
                ('outcome', models.CharField(max_length=10)),
                ('error', models.CharField(blank=True, max_length=500)),
            ],
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(fields=['source', 'parent', 'sort', 'line_start'], name='node_level'),
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(fields=['source', 'document', 'line_start'], name='node_lines'),
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(fields=['source', 'title_key'], name='node_title'),
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(condition=models.Q(('reference_key__isnull', False)), fields=['source', 'reference_key'], name='node_reference'),
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(condition=models.Q(('name_key__isnull', False)), fields=['source', 'name_key'], name='node_name'),
        ),
        migrations.AddIndex(
            model_name='node',
            index=models.Index(condition=models.Q(('number__isnull', False)), fields=['source', 'number'], name='node_number'),
        ),
        migrations.AddIndex(
            model_name='link',
            index=models.Index(fields=['source', 'to_node'], name='link_incoming'),
        ),
        migrations.AddConstraint(
            model_name='build',
            constraint=models.UniqueConstraint(fields=('source', 'number'), name='build_number'),
        ),
        migrations.AddIndex(
            model_name='text',
            index=django.contrib.postgres.indexes.GinIndex(fields=['vector'], name='text_vector'),
        ),
        migrations.AddIndex(
            model_name='text',
            index=models.Index(fields=['source', 'document'], name='text_document'),
        ),
    ]
