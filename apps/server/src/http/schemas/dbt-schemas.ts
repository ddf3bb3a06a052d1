import { Type } from 'typebox'
import type { DbtImport as StoredImport } from '../../model/dbt.ts'
import { closed, described, NullableText, Timestamp } from '../schemas.ts'

export const DbtImport = Type.Object(
  {
    databaseId: Type.String({ description: 'The database whose tables it describes.', examples: ['db_4k2n'] }),
    project: Type.String({ description: 'The name of the dbt project.', examples: ['shop'] }),
    manifestVersion: Type.Integer({ description: 'The schema version of the manifest.', examples: [12] }),
    generatedAt: described(NullableText, 'When dbt wrote the manifest.'),
    tableCount: Type.Integer({ description: 'Models, sources, seeds and snapshots that are tables.' }),
    foundTableCount: Type.Integer({ description: 'How many of them the database has, as far as its schema has been read.' }),
    describedColumnCount: Type.Integer(),
    metrics: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          label: Type.String(),
          description: Type.String(),
          definition: Type.Optional(described(NullableText, 'How it is computed, as text. Null if the manifest does not say it.')),
        },
        { title: 'DbtMetric', description: 'A metric of the dbt project.' },
      ),
    ),
    importedBy: Type.String({ examples: ['user_2n4k8mq7'] }),
    importedAt: Timestamp,
  },
  { title: 'DbtImport', description: 'What the newest import of a dbt project has read.' },
)

export const DbtProjectQuery = Type.Object(
  {
    databaseId: Type.String({ description: 'The database whose tables the import describes.', examples: ['db_4k2n'] }),
    project: Type.String({ description: 'The name of the dbt project.', examples: ['shop'] }),
  },
  closed,
)

const link = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description, examples: ['https://dbt.example'] }))
export const DbtImportQuery = Type.Object(
  {
    databaseId: Type.String({ description: 'The database that the project builds its tables in.', examples: ['db_4k2n'] }),
    docsUrl: link('The address of the site that dbt generates, to link tables to their pages.'),
    repositoryUrl: link('The address of the project’s files, to link tables to the files that define them.'),
  },
  closed,
)

export const presentDbtImport = ({ importedAt, ...imported }: StoredImport) => ({ ...imported, importedAt: importedAt.toISOString() })
