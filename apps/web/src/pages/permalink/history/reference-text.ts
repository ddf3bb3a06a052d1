import type { ReferenceVersionInFull } from '../../../api/references.ts'

/** Names instead of ids, for people. */
export interface Names {
  folder(id: string): string | undefined
  database(id: string): string | undefined
}

type Settings = Pick<
  ReferenceVersionInFull,
  'title' | 'description' | 'analyticalDatabaseConfigId' | 'folderId' | 'visualization' | 'parameters'
>

/** Everything about a query except its SQL as text with one line for each setting, to compare two versions. */
export function settingsText(version: Settings, names: Names): string {
  const { description, analyticalDatabaseConfigId: databaseId, folderId, visualization } = version
  const lines = [
    `Title: ${version.title}`,
    ...(description ? [`Description: ${description}`] : []),
    ...(databaseId === null ? [] : [`Database: ${names.database(databaseId) ?? 'deleted'}`]),
    ...(folderId === null ? [] : [`Folder: ${names.folder(folderId) ?? 'deleted'}`]),
    ...version.parameters.flatMap(({ name, ...settings }) => [`Parameter ${name}`, ...indented(settings)]),
    ...(visualization ? [`Chart: ${visualization.type}`, ...chartLines(visualization)] : []),
  ]
  return lines.join('\n')
}

function chartLines({ type: _type, jsxConfig, columns = [], ...settings }: NonNullable<Settings['visualization']>): string[] {
  const drawing = jsxConfig.trim() === '' ? [] : jsxConfig.split('\n').map((line) => `  ${line}`)
  const columnLines = columns.flatMap(({ name, ...column }) => [`  Column ${name}`, ...indented(column).map((line) => `  ${line}`)])
  return [...drawing, ...columnLines, ...indented(settings)]
}

/** A line for each setting that has a value. */
const indented = (settings: object): string[] =>
  Object.entries(settings)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
