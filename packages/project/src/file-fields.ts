import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ItemKind } from './items.ts'

/** The fields of each kind of file. Which values they may have is for the service to say. */
const closed = { additionalProperties: false } as const
const text = Type.String()
const optionalText = Type.Optional(text)
const Schedule = Type.Optional(Type.Object({ cron: text, timeZone: text }, closed))

const Parameters = Type.Optional(
  Type.Array(
    Type.Object(
      {
        name: text,
        type: text,
        displayName: optionalText,
        defaultValue: optionalText,
        description: optionalText,
        isList: Type.Optional(Type.Boolean()),
        options: Type.Optional(
          Type.Object(
            {
              values: Type.Optional(Type.Array(Type.Object({ value: text, label: optionalText }, closed))),
              query: optionalText,
              valueColumn: optionalText,
              labelColumn: optionalText,
              dependsOn: Type.Optional(Type.Array(text)),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  ),
)

const Tiles = Type.Optional(
  Type.Array(
    Type.Object(
      {
        query: optionalText,
        text: optionalText,
        heading: optionalText,
        image: optionalText,
        alt: optionalText,
        title: optionalText,
        shows: optionalText,
        place: Type.Object({ x: Type.Integer(), y: Type.Integer(), width: Type.Integer(), height: Type.Integer() }, closed),
        parameters: Type.Optional(Type.Record(text, text)),
        opens: Type.Optional(Type.Object({ board: text, parameter: text, column: text }, closed)),
        filters: Type.Optional(Type.Object({ column: text, parameter: text }, closed)),
      },
      closed,
    ),
  ),
)

const fileFields: Record<ItemKind, TSchema> = {
  folder: Type.Object({ name: text }, closed),
  query: Type.Object(
    {
      title: text,
      description: optionalText,
      database: text,
      freshForSeconds: Type.Optional(Type.Integer()),
      parameters: Parameters,
      visualization: Type.Optional(Type.Object({ type: text })),
      sql: text,
    },
    closed,
  ),
  board: Type.Object(
    {
      title: text,
      description: optionalText,
      parameters: Parameters,
      tabs: Type.Optional(Type.Array(Type.Object({ title: text, tiles: Tiles }, closed))),
      tiles: Tiles,
    },
    closed,
  ),
  automation: Type.Object(
    {
      name: text,
      agent: optionalText,
      enabled: Type.Optional(Type.Boolean()),
      strict: Type.Optional(Type.Boolean()),
      schedule: Schedule,
      queries: Type.Optional(Type.Array(text)),
      condition: Type.Optional(Type.Object({ query: text, kind: text })),
      instructions: text,
    },
    closed,
  ),
  metric: Type.Object(
    {
      name: text,
      unit: optionalText,
      synonyms: Type.Optional(Type.Array(text)),
      owner: optionalText,
      description: optionalText,
      query: optionalText,
      database: optionalText,
      sql: optionalText,
    },
    closed,
  ),
  question_set: Type.Object(
    {
      name: text,
      schedule: Schedule,
      questions: Type.Optional(
        Type.Array(
          Type.Object(
            {
              question: text,
              database: text,
              isOrdered: Type.Optional(Type.Boolean()),
              tolerance: Type.Optional(Type.Number()),
              expectedSql: optionalText,
              expectedRows: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
            },
            closed,
          ),
        ),
      ),
    },
    closed,
  ),
}

/** Says what is wrong with the fields of a file. */
export function faultOfFields(kind: ItemKind, fields: Record<string, unknown>): string | undefined {
  const errors = [...Value.Errors(fileFields[kind], fields)]
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]
  if (!error) return undefined
  const place = error.instancePath === '' ? '' : ` in ${error.instancePath.slice(1).replaceAll('/', '.')}`
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (params.requiredProperties) return `needs the field "${params.requiredProperties[0]}"${place}.`
  if (params.additionalProperties) return `has the unknown field "${params.additionalProperties[0]}"${place}.`
  return `has a wrong value${place}: it ${error.message}.`
}
