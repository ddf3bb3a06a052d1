import type { AutomationContent, Contents, ItemKind, Parameter, Tile } from './items.ts'

/** `isInSql`: it is the argument of `ref`, which may be any text. */
export type TranslateLink = (link: string, kind: ItemKind, isInSql: boolean) => string

/** The same content with every link translated, also `ref('…')` in SQL. */
export function mapLinks<Kind extends ItemKind>(kind: Kind, content: Contents[Kind], translate: TranslateLink): Contents[Kind] {
  return linkMaps[kind](content, translate)
}

const linkMaps: { [Kind in ItemKind]: (content: Contents[Kind], translate: TranslateLink) => Contents[Kind] } = {
  folder: inFolder,
  query: (content, translate) => ({ ...inFolder(content, translate), ...inParameters(content, translate), sql: mapRefs(content.sql, translate) }),
  board: (content, translate) => ({
    ...inFolder(content, translate),
    ...inParameters(content, translate),
    ...(content.tabs && { tabs: content.tabs.map((tab) => ({ ...tab, ...(tab.tiles && { tiles: inTiles(tab.tiles, translate) }) })) }),
    ...(content.tiles && { tiles: inTiles(content.tiles, translate) }),
  }),
  automation: (content, translate) => ({
    ...content,
    ...(content.queries && { queries: content.queries.map((link) => translate(link, 'query', false)) }),
    ...inCondition(content, translate),
  }),
  metric: (content, translate) => ({
    ...content,
    ...(content.query !== undefined && { query: translate(content.query, 'query', false) }),
    ...(content.sql !== undefined && { sql: mapRefs(content.sql, translate) }),
  }),
  question_set: (content, translate) => ({
    ...content,
    ...(content.questions && {
      questions: content.questions.map((question) => ({
        ...question,
        ...(question.expectedSql !== undefined && { expectedSql: mapRefs(question.expectedSql, translate) }),
      })),
    }),
  }),
}

function inFolder<Content extends { folder?: string }>(content: Content, translate: TranslateLink): Content {
  return content.folder === undefined ? content : { ...content, folder: translate(content.folder, 'folder', false) }
}

function inParameters({ parameters }: { parameters?: Parameter[] }, translate: TranslateLink): { parameters?: Parameter[] } {
  if (!parameters) return {}
  const inOptions = (options: NonNullable<Parameter['options']>) =>
    options.query === undefined ? options : { ...options, query: translate(options.query, 'query', false) }
  return { parameters: parameters.map((parameter) => ({ ...parameter, ...(parameter.options && { options: inOptions(parameter.options) }) })) }
}

const inTiles = (tiles: Tile[], translate: TranslateLink): Tile[] =>
  tiles.map((tile) => ({
    ...tile,
    ...(tile.query !== undefined && { query: translate(tile.query, 'query', false) }),
    ...(tile.opens && { opens: { ...tile.opens, board: translate(tile.opens.board, 'board', false) } }),
  }))

function inCondition({ condition }: AutomationContent, translate: TranslateLink): Pick<AutomationContent, 'condition'> {
  return condition ? { condition: { ...condition, query: translate(condition.query, 'query', false) } } : {}
}

const refCall = /\b(ref\s*\(\s*)'((?:[^']|'')+)'/gi

/**
 * `ref('…')` is also translated in comments, so that a query that is partly commented out still fits. A text that happens to look like a
 * call becomes the same text again on the way back.
 */
function mapRefs(sql: string, translate: TranslateLink): string {
  return sql.replaceAll(refCall, (_, opening: string, text: string) => {
    const link = translate(text.replaceAll("''", "'"), 'query', true)
    return `${opening}'${link.replaceAll("'", "''")}'`
  })
}
