/** The fields of metrics and semantic models in dbt's manifest that are used. */
export interface MetricNode {
  name?: string
  label?: string | null
  description?: string | null
  type?: string
  type_params?: {
    measure?: { name?: string } | null
    numerator?: { name?: string } | null
    denominator?: { name?: string } | null
    expr?: string | null
  } | null
  filter?: { where_filters?: { where_sql_template?: string }[] } | null
}

export interface SemanticModelNode {
  name?: string
  node_relation?: { schema_name?: string; alias?: string } | null
  measures?: { name?: string; agg?: string; expr?: string | null }[] | null
}

/** How a metric is computed, for people and agents. Undefined if the manifest says nothing that they would understand. */
export function describeMetric({ type, type_params: given, filter }: MetricNode, semanticModels: readonly SemanticModelNode[]): string | undefined {
  const { measure, numerator, denominator, expr } = given ?? {}
  const filters = (filter?.where_filters ?? []).flatMap(({ where_sql_template: condition }) => condition?.trim() || [])
  const where = filters.length > 0 ? ` where ${filters.join(' and ')}` : ''
  if (type === 'ratio' && numerator?.name && denominator?.name) return `${numerator.name} / ${denominator.name}${where}`
  if (type === 'derived' && expr) return `${expr}${where}`
  const computed = measure?.name && describeMeasure(measure.name, semanticModels)
  if (!computed) return undefined
  return `${type === 'cumulative' ? 'running total of ' : ''}${computed}${where}`
}

function describeMeasure(name: string, semanticModels: readonly SemanticModelNode[]): string | undefined {
  for (const { measures, node_relation: table } of semanticModels) {
    const measure = measures?.find((each) => each.name === name)
    if (!measure?.agg) continue
    const place = table?.alias ? ` from ${table.schema_name ? `${table.schema_name}.` : ''}${table.alias}` : ''
    return `${measure.agg}(${measure.expr ?? name})${place}`
  }
  return undefined
}
