import type { KnowledgeContent } from '../../model/knowledge.ts'

/** A name for people, such as “Metric Net revenue”. */
export function nameOf(content: KnowledgeContent, databaseName: string | undefined): string {
  switch (content.kind) {
    case 'instructions':
      return content.databaseId === null ? 'Instructions' : `Instructions for ${databaseName ?? 'a deleted database'}`
    case 'metric':
      return `Metric ${content.name}`
    case 'table':
      return `Table ${content.schema}.${content.table}`
    case 'verified_query':
      return `Verified query ${content.title}`
  }
}

/** The content as text, in which people see what has changed. */
export function textOf(content: KnowledgeContent): string {
  switch (content.kind) {
    case 'instructions':
      return content.text
    case 'metric': {
      const { name, unit, description, synonyms, definition } = content
      const lines = [
        unit === null ? name : `${name} (${unit})`,
        description,
        ...(synonyms.length > 0 ? [`Also called ${synonyms.join(', ')}`] : []),
        definition.kind === 'sql' ? definition.sql : `Saved query ${definition.shortId}`,
      ]
      return lines.filter((line) => line !== '').join('\n')
    }
    case 'table': {
      const columns = Object.entries(content.columns).map(([name, text]) => `${name}: ${text}`)
      return [content.description ?? '', ...columns].filter((line) => line !== '').join('\n')
    }
    case 'verified_query':
      return content.title
  }
}
