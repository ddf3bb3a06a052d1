import { boardLimits, type BoardContent, type ReferenceSummary } from '../../../model/board.ts'
import type { ParameterDefinition } from '../../../model/parameter.ts'
import type { UnplacedTile } from './lay-out.ts'

/**
 * Makes a parameter of the board of each one that several tiles have, by name and type, so that a reader sets it once. The first tile's
 * definition is used.
 */
export function shareParameters<Unplaced extends UnplacedTile>(
  tiles: Unplaced[],
  references: ReadonlyMap<string, Pick<ReferenceSummary, 'parameters'>>,
): { parameters: BoardContent['parameters']; tiles: Unplaced[] } {
  const parametersOf = (tile: Unplaced) => references.get(tile.referenceShortId ?? '')?.parameters ?? []
  const all = Map.groupBy(tiles.flatMap(parametersOf), keyOf)
  const names = new Set<string>()
  const shared = new Map<string, ParameterDefinition>()
  for (const [key, [first, second]] of all) {
    if (!second || names.has(first!.name) || shared.size === boardLimits.parameters) continue
    names.add(first!.name)
    shared.set(key, first!)
  }
  return {
    parameters: [...shared.values()],
    tiles: tiles.map((tile) => {
      const mapped = parametersOf(tile).filter((parameter) => shared.has(keyOf(parameter)))
      return mapped.length === 0 ? tile : { ...tile, parameterMapping: Object.fromEntries(mapped.map(({ name }) => [name, name])) }
    }),
  }
}

const keyOf = ({ name, type, isList = false }: ParameterDefinition) => `${type} ${isList} ${name}`
