import type { ReferenceSummary } from '../../../api/boards.ts'
import type { ParameterDefinition } from '../../../api/references.ts'
import type { BoardContent, Tile } from './board-content.ts'
import { reservedNames } from './display-options.ts'
import { canGive } from './parameter-types.ts'

export interface SuggestedParameter {
  definition: ParameterDefinition
  /** How many tiles have a parameter of this name. */
  tileCount: number
}

/** Parameters of the tiles' queries that the board doesn't have yet, the most frequent first. */
export function suggestParameters(content: BoardContent, references: readonly ReferenceSummary[]): SuggestedParameter[] {
  const taken = new Set([...content.parameters.map(({ name }) => name), ...reservedNames])
  const found = new Map<string, SuggestedParameter>()
  for (const tile of content.tiles) {
    for (const definition of parametersOf(tile, references)) {
      if (taken.has(definition.name) || tile.parameterMapping?.[definition.name] !== undefined) continue
      const known = found.get(definition.name)
      found.set(definition.name, { definition: known?.definition ?? definition, tileCount: (known?.tileCount ?? 0) + 1 })
    }
  }
  return [...found.values()].toSorted((a, b) => b.tileCount - a.tileCount)
}

/** Adds a parameter and maps it to every parameter of this name that no other one is mapped to. */
export function addParameter(content: BoardContent, definition: ParameterDefinition, references: readonly ReferenceSummary[]): BoardContent {
  const tiles = content.tiles.map((tile) => {
    const own = parametersOf(tile, references).find(({ name }) => name === definition.name)
    if (!own || !canGive(definition, own) || tile.parameterMapping?.[own.name] !== undefined) return tile
    return { ...tile, parameterMapping: { ...tile.parameterMapping, [own.name]: definition.name } }
  })
  return { ...content, parameters: [...content.parameters, definition], tiles }
}

export const parametersOf = (tile: Tile, references: readonly ReferenceSummary[]): ParameterDefinition[] =>
  references.find(({ shortId }) => shortId === tile.referenceShortId)?.parameters ?? []

/** The name for a parameter with this label: “Order country” becomes `order_country`. Undefined if it would be empty or taken. */
export function parameterNameFor(label: string, taken: readonly string[]): string | undefined {
  const name = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
  return name === '' || taken.includes(name) || reservedNames.includes(name) ? undefined : name
}
