import { dbtLimits, type DbtFreshness, type DbtMetric, type DbtTable, dbtTableKinds } from '../../../model/dbt.ts'
import { knowledgeLimits } from '../../../model/knowledge.ts'
import { Refusal } from '../../refusal.ts'
import { describeMetric, type MetricNode, type SemanticModelNode } from './describe-metric.ts'
import { type JsonEntry, JsonSyntaxError, readJsonEntries } from './json-entries.ts'

export interface DbtProject {
  name: string
  manifestVersion: number
  generatedAt: string | null
  tables: DbtTable[]
  metrics: DbtMetric[]
}

export interface ArtifactLinks {
  /** The site that `dbt docs generate` writes. */
  docsUrl?: string | undefined
  /** A prefix of the files of the project, such as `https://github.com/shop/dbt/blob/main`. */
  repositoryUrl?: string | undefined
}

/**
 * Reads `{ "manifest": …, "catalog": …, "sources": … }`, of which only the manifest is required, or a manifest alone. The artifacts are
 * dbt's own files.
 */
export async function readArtifacts(pieces: AsyncIterable<Uint8Array>, links: ArtifactLinks = {}): Promise<DbtProject> {
  const collector = makeCollector()
  let isWrapped: boolean | undefined
  const depthOf = (path: readonly string[]) => {
    isWrapped ??= ['manifest', 'catalog', 'sources'].includes(path[0]!) && path.length === 1
    return isWrapped ? 3 : 2
  }
  try {
    for await (const { path, text } of readJsonEntries(pieces, { depthOf, entryMaxBytes: dbtLimits.entryBytes })) {
      const [artifact, section, key] = isWrapped ? path : ['manifest', ...path]
      collector.add(artifact!, section!, { path: [key!], text })
    }
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) throw invalid(`cannot be read: ${error.message}`)
    throw error
  }
  return collector.finish(links)
}

const invalid = (problem: string) =>
  new Refusal('dbt_artifact_invalid', `The dbt manifest ${problem} Send target/manifest.json as dbt 1.5 or newer writes it.`)

/** The fields of dbt's artifacts that are used. */
interface Node {
  resource_type?: string
  name?: string
  alias?: string
  identifier?: string
  schema?: string
  description?: string
  original_file_path?: string
  columns?: Record<string, { name?: string; description?: string }>
  depends_on?: { nodes?: string[] }
  config?: { materialized?: string }
}
interface CatalogNode {
  metadata?: { comment?: string | null }
  columns?: Record<string, { name?: string; comment?: string | null }>
}
interface FreshnessResult {
  unique_id?: string
  status?: string
  max_loaded_at?: string
}

/** Metrics beyond the limit are left out. */
function addUpTo<Entry>(list: Entry[], entry: Entry): void {
  if (list.length < dbtLimits.metrics) list.push(entry)
}

function makeCollector() {
  const metadata: Record<string, unknown> = {}
  const nodes = new Map<string, Node>()
  const catalog = new Map<string, CatalogNode>()
  const freshness = new Map<string, DbtFreshness>()
  const metrics: MetricNode[] = []
  const semanticModels: SemanticModelNode[] = []

  function add(artifact: string, section: string, { path: [id], text }: JsonEntry): void {
    const place = `${artifact}.${section}`
    if (place === 'manifest.metadata') metadata[id!] = JSON.parse(text)
    else if (place === 'manifest.nodes' || place === 'manifest.sources') addNode(id!, JSON.parse(text) as Node)
    else if (place === 'manifest.metrics') addUpTo(metrics, JSON.parse(text) as MetricNode)
    else if (place === 'manifest.semantic_models') addUpTo(semanticModels, JSON.parse(text) as SemanticModelNode)
    else if (place === 'catalog.nodes' || place === 'catalog.sources') catalog.set(id!, JSON.parse(text) as CatalogNode)
    else if (place === 'sources.results') addFreshness(JSON.parse(text) as FreshnessResult)
  }

  /** Keeps only what is used: a node also has its SQL, compiled and not. */
  function addNode(id: string, node: Node): void {
    const { resource_type, name, alias, identifier, schema, description, original_file_path, columns, depends_on, config } = node
    if (!dbtTableKinds.some((kind) => kind === resource_type)) return
    if (nodes.size >= dbtLimits.tables) throw invalid(`has more than ${dbtLimits.tables} tables.`)
    const { materialized } = config ?? {}
    const used = { resource_type, name, alias, identifier, schema, description, original_file_path, columns, depends_on }
    nodes.set(id, { ...(used as Node), ...(materialized !== undefined && { config: { materialized } }) })
  }

  function addFreshness({ unique_id, status = 'unknown', max_loaded_at }: FreshnessResult): void {
    if (unique_id !== undefined) freshness.set(unique_id, { status, maxLoadedAt: max_loaded_at ?? null })
  }

  function finish(links: ArtifactLinks): DbtProject {
    const manifestVersion = versionOf(metadata['dbt_schema_version'])
    const tables = [...nodes].flatMap(([id, node]) => {
      const table = tableOf(id, node, { nodes, links, catalog: catalog.get(id), freshness: freshness.get(id) ?? null })
      return table ? [table] : []
    })
    const { project_name: name, generated_at: generatedAt } = metadata
    return {
      name: typeof name === 'string' && name !== '' ? name.slice(0, 200) : 'dbt',
      manifestVersion,
      generatedAt: typeof generatedAt === 'string' ? generatedAt : null,
      tables,
      metrics: metrics.map((metric) => metricOf(metric, semanticModels)),
    }
  }
  return { add, finish }
}

function metricOf(metric: MetricNode, semanticModels: SemanticModelNode[]): DbtMetric {
  const { name = '', label, description } = metric
  const definition = shortened(describeMetric(metric, semanticModels))
  return { name, label: label ?? name, description: shortened(description) ?? '', definition }
}

/** Newer versions have added fields so far, so they are accepted. */
function versionOf(schemaVersion: unknown): number {
  const version = Number(/\/manifest\/v(\d+)\.json$/.exec(typeof schemaVersion === 'string' ? schemaVersion : '')?.[1])
  if (Number.isNaN(version)) throw invalid('does not say its schema version.')
  if (version < dbtLimits.manifestVersionMin) throw invalid(`has schema version ${version}, which is older than ${dbtLimits.manifestVersionMin}.`)
  return version
}

interface TableContext {
  nodes: Map<string, Node>
  links: ArtifactLinks
  catalog: CatalogNode | undefined
  freshness: DbtFreshness | null
}

/** Undefined for a model that is no table, such as an ephemeral one. */
function tableOf(id: string, node: Node, { nodes, links, catalog, freshness }: TableContext): DbtTable | undefined {
  const name = nameOf(node)
  if (name === undefined) return undefined
  const { docsUrl, repositoryUrl } = links
  const file = node.original_file_path ?? null
  const comments = Object.values(catalog?.columns ?? {}).map((column) => [column.name, column.comment] as const)
  const written = Object.entries(node.columns ?? {}).map(([key, column]) => [column.name ?? key, column.description] as const)
  return {
    ...name,
    kind: node.resource_type as DbtTable['kind'],
    description: shortened(node.description) ?? shortened(catalog?.metadata?.comment),
    columns: columnsOf([...comments, ...written]),
    builtFrom: builtFrom(node, nodes),
    file,
    docsUrl: docsUrl === undefined ? null : `${docsUrl.replace(/\/+$/, '')}/#!/${node.resource_type}/${encodeURIComponent(id)}`,
    sourceUrl: repositoryUrl === undefined || file === null ? null : `${repositoryUrl.replace(/\/+$/, '')}/${encodeURI(file)}`,
    freshness,
  }
}

function nameOf({ schema, alias, identifier, name, config }: Node): { schema: string; table: string } | undefined {
  const table = identifier ?? alias ?? name
  if (schema === undefined || table === undefined || config?.materialized === 'ephemeral') return undefined
  return { schema, table }
}

/** Later descriptions of a column replace earlier ones: those of the project, the comments of the catalog. */
function columnsOf(described: (readonly [string | undefined, string | null | undefined])[]): Record<string, string> {
  const columns = new Map<string, [string, string]>()
  for (const [name, description] of described) {
    const text = shortened(description)
    if (name !== undefined && text !== null) columns.set(name.toLowerCase(), [name, text])
  }
  return Object.fromEntries([...columns.values()].slice(0, knowledgeLimits.describedColumns))
}

/** An ephemeral model stands for the tables that it is built from. */
function builtFrom(node: Node, nodes: Map<string, Node>, seen = new Set<Node>()): string[] {
  if (seen.has(node)) return []
  seen.add(node)
  const found = (node.depends_on?.nodes ?? []).flatMap((id) => {
    const parent = nodes.get(id)
    if (!parent) return []
    const name = nameOf(parent)
    return name ? [`${name.schema}.${name.table}`] : builtFrom(parent, nodes, seen)
  })
  return [...new Set(found)]
}

function shortened(text: string | null | undefined): string | null {
  const trimmed = text?.replaceAll('\0', '').trim() ?? ''
  return trimmed === '' ? null : trimmed.slice(0, knowledgeLimits.descriptionCharacters)
}
