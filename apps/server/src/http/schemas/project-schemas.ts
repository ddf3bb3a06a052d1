import { itemKinds } from '@querypost/project'
import { type TSchema, Type } from 'typebox'
import { agentKinds } from '../../model/agent-run.ts'
import { boardLimits, tileDisplays } from '../../model/board.ts'
import { managedUrlMaxLength } from '../../model/managed-item.ts'
import { parameterTypes } from '../../model/parameter.ts'
import { descriptionMaxLength, freshForMaxSeconds, freshForMinSeconds, titleMaxLength } from '../../model/reference.ts'
import { closed, described, NullableText, oneOf, ParameterOptions, published } from '../schemas.ts'
import { GivenCondition, Schedule } from './automation-schemas.ts'
import { TestQuestion } from './evaluation-schemas.ts'
import { GivenVisualization } from './query-schemas.ts'

/** The items of an organization as its files have them. In responses, links are ids. In requests, they may also be paths of new items. */
const text = Type.String()
const linkTo = (kind: string) => Type.String({ description: `The id of a ${kind}; or \`path:\` and the path of one that the same request creates.` })
const optionalLink = (kind: string) => Type.Optional(linkTo(kind))
const folder = Type.Optional(described(linkTo('folder'), 'The id of the folder that it is in, or `path:` and its path. Left out at the top.'))
const optionalSchedule = Type.Optional(Schedule)

const { referenceShortId: _reference, ...optionFields } = ParameterOptions.properties
const Parameters = Type.Optional(
  Type.Array(
    Type.Object(
      {
        name: text,
        type: oneOf(parameterTypes),
        displayName: Type.Optional(text),
        defaultValue: Type.Optional(text),
        description: Type.Optional(text),
        isList: Type.Optional(Type.Boolean()),
        options: Type.Optional(Type.Object({ ...optionFields, query: optionalLink('query') }, closed)),
      },
      closed,
    ),
    { maxItems: 100 },
  ),
)

const ProjectFolder = published(Type.Object({ name: text, folder }, closed), 'ProjectFolder', 'What a file says about a folder.')

const ProjectQuery = published(
  Type.Object(
    {
      title: Type.String({ minLength: 1, maxLength: titleMaxLength }),
      description: Type.Optional(Type.String({ maxLength: descriptionMaxLength })),
      folder,
      database: Type.String({ description: 'The name of the database.' }),
      freshForSeconds: Type.Optional(Type.Integer({ minimum: freshForMinSeconds, maximum: freshForMaxSeconds })),
      parameters: Parameters,
      visualization: Type.Optional(GivenVisualization),
      sql: text,
    },
    closed,
  ),
  'ProjectQuery',
  'What a file says about a saved query.',
)

const Tiles = Type.Optional(
  Type.Array(
    Type.Object(
      {
        query: optionalLink('query'),
        text: Type.Optional(Type.String({ maxLength: boardLimits.textCharacters })),
        heading: Type.Optional(Type.String({ maxLength: boardLimits.textCharacters })),
        image: Type.Optional(Type.String({ description: 'The id of an image.' })),
        alt: Type.Optional(Type.String({ maxLength: boardLimits.textCharacters })),
        title: Type.Optional(Type.String({ maxLength: boardLimits.titleCharacters })),
        shows: Type.Optional(oneOf(tileDisplays)),
        place: Type.Object(
          {
            x: Type.Integer({ minimum: 0, maximum: boardLimits.columns - 1 }),
            y: Type.Integer({ minimum: 0, maximum: boardLimits.rows }),
            width: Type.Integer({ minimum: 1, maximum: boardLimits.columns }),
            height: Type.Integer({ minimum: 1, maximum: boardLimits.tileHeight }),
          },
          closed,
        ),
        parameters: Type.Optional(Type.Record(text, text)),
        opens: Type.Optional(Type.Object({ board: linkTo('board'), parameter: text, column: text }, closed)),
        filters: Type.Optional(Type.Object({ column: text, parameter: text }, closed)),
      },
      closed,
    ),
    { maxItems: boardLimits.tiles },
  ),
)

const tabTitle = Type.String({ minLength: 1, maxLength: boardLimits.titleCharacters })
const ProjectTab = Type.Object({ title: tabTitle, tiles: Tiles }, closed)

const ProjectBoard = published(
  Type.Object(
    {
      title: Type.String({ minLength: 1, maxLength: boardLimits.titleCharacters }),
      description: Type.Optional(Type.String({ maxLength: boardLimits.descriptionCharacters })),
      folder,
      parameters: Parameters,
      tabs: Type.Optional(Type.Array(ProjectTab, { maxItems: boardLimits.tabs })),
      tiles: Tiles,
    },
    closed,
  ),
  'ProjectBoard',
  'What a file says about a board. With tabs, all tiles are in them.',
)

const { reference: _conditionReference, ...conditionFields } = GivenCondition.properties
const ProjectAutomation = published(
  Type.Object(
    {
      name: text,
      agent: Type.Optional(oneOf(agentKinds)),
      enabled: Type.Optional(Type.Boolean()),
      strict: Type.Optional(Type.Boolean()),
      schedule: optionalSchedule,
      queries: Type.Optional(Type.Array(linkTo('query'))),
      condition: Type.Optional(Type.Object({ query: linkTo('query'), ...conditionFields }, closed)),
      instructions: text,
    },
    closed,
  ),
  'ProjectAutomation',
  'What a file says about an automation.',
)

const ProjectMetric = published(
  Type.Object(
    {
      name: text,
      unit: Type.Optional(text),
      synonyms: Type.Optional(Type.Array(text)),
      owner: Type.Optional(Type.String({ description: 'The e-mail address of a member.' })),
      description: Type.Optional(text),
      query: optionalLink('query'),
      database: Type.Optional(Type.String({ description: 'The name of the database, for a metric that SQL defines.' })),
      sql: Type.Optional(text),
    },
    closed,
  ),
  'ProjectMetric',
  'What a file says about a metric: a query defines it, or SQL for a database.',
)

const { expectedRows } = TestQuestion.properties
const ProjectQuestionSet = published(
  Type.Object(
    {
      name: Type.String({ minLength: 1 }),
      schedule: optionalSchedule,
      questions: Type.Optional(
        Type.Array(
          Type.Object(
            {
              question: TestQuestion.properties.text,
              database: Type.String({ description: 'The name of the database.' }),
              isOrdered: Type.Optional(Type.Boolean()),
              tolerance: Type.Optional(TestQuestion.properties.tolerance),
              expectedSql: Type.Optional(text),
              expectedRows: Type.Optional(Type.Unsafe<unknown[][]>({ ...expectedRows, type: 'array' })),
            },
            closed,
          ),
        ),
      ),
    },
    closed,
  ),
  'ProjectQuestionSet',
  'What a file says about a question set.',
)

const hash = Type.String({ description: 'Changes whenever the content does.', examples: ['9f2c4a7e1b3d5f60718293a4b5c6d7e8'] })
const managedUrl = described(NullableText, 'The address of the file that manages the item. Null if it can be edited on the pages.')
const stored = <Content extends TSchema>(content: Content) =>
  Type.Array(Type.Object({ id: Type.String({ examples: ['k7m2p9qxwd'] }), hash, managedUrl, content }))

export const Project = Type.Object(
  {
    folders: stored(ProjectFolder),
    queries: stored(ProjectQuery),
    boards: stored(ProjectBoard),
    automations: stored(ProjectAutomation),
    metrics: stored(ProjectMetric),
    questionSets: stored(ProjectQuestionSet),
  },
  { title: 'Project', description: 'Everything of an organization that has a file, with ids as links.' },
)

const path = Type.String({ minLength: 1, maxLength: 500, description: 'Of the file, for messages and links.', examples: ['finance/revenue.sql'] })
const id = described(NullableText, 'Null for a new item.')
const expectedHash = described(NullableText, 'The `hash` of the item that the change is based on. Null for a new item.')
const given = <Content extends TSchema>(content: Content, options: { examples?: object[] } = {}) =>
  Type.Optional(Type.Array(Type.Object({ path, id, expectedHash, content }, closed), { maxItems: 10_000, ...options }))

const exampleFolder = { path: 'finance', id: null, expectedHash: null, content: { name: 'Finance' } }

export const ProjectChanges = Type.Object(
  {
    folders: given(ProjectFolder, { examples: [[exampleFolder]] }),
    queries: given(ProjectQuery),
    boards: given(ProjectBoard),
    automations: given(ProjectAutomation),
    metrics: given(ProjectMetric),
    questionSets: given(ProjectQuestionSet),
    deletions: Type.Optional(
      Type.Array(
        Type.Object({ kind: oneOf(itemKinds), path, id: Type.String({ description: 'The id of the item.' }), expectedHash: hash }, closed),
        { maxItems: 10_000, description: 'Items to delete.' },
      ),
    ),
    managed: Type.Optional(
      Type.Array(
        Type.Object(
          {
            kind: oneOf(itemKinds),
            path,
            id: described(NullableText, 'Null for an item that the same request creates.'),
            url: Type.Unsafe<string | null>({
              type: ['string', 'null'],
              maxLength: managedUrlMaxLength,
              description: 'Where people find the file. Null: the item can be edited on the pages again.',
              examples: ['https://github.com/acme/analytics/blob/main/finance/revenue.sql'],
            }),
          },
          closed,
        ),
        { maxItems: 10_000, description: 'Items that files manage from now on: they can only be changed by this route. Only for admins.' },
      ),
    ),
    isDryRun: Type.Optional(Type.Boolean({ description: 'Checks everything, and changes nothing.' })),
  },
  { title: 'ProjectChanges', ...closed },
)

export const AppliedChanges = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { kind: oneOf(itemKinds), path, id: Type.String({ examples: ['k7m2p9qxwd'] }), hash, name: Type.String({ examples: ['Revenue by month'] }) },
        { title: 'AppliedItem', description: 'An item as it is now.' },
      ),
      { description: 'The created and changed items.' },
    ),
  },
  { title: 'AppliedChanges', description: 'The outcome of applied changes.' },
)
