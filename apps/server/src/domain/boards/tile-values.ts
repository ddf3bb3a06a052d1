import type { Tile } from '../../model/board.ts'
import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import { checkValue } from '../parameters/check-value.ts'
import { defaultOf } from '../parameters/default-value.ts'
import { Refusal } from '../refusal.ts'

/** The values of a board's parameters: those given, checked, and the defaults of the others. */
export function valuesOfBoard(definitions: readonly ParameterDefinition[], given: ParameterValues): ParameterValues {
  const known = new Set(definitions.map(({ name }) => name))
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue
    throw new Refusal('parameter_invalid', `The board has no parameter "${name}". Leave the value out or correct its name.`)
  }
  const values: ParameterValues = {}
  for (const definition of definitions) {
    const value = Object.hasOwn(given, definition.name) ? given[definition.name] : defaultOf(definition)
    if (value !== undefined) values[definition.name] = checkValue(definition, value)
  }
  return values
}

/** Values as a URL has them: texts, or several texts of the same name. */
export type ValuesInUrl = Record<string, string | string[]>

/** The values that a board's own URL means: a list has one text per element, and a single empty text if it has none. */
export function valuesInUrl(definitions: readonly ParameterDefinition[], given: ValuesInUrl): ParameterValues {
  const lists = new Set(definitions.filter(({ isList }) => isList).map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (!lists.has(name)) return [name, value]
      const texts = [value].flat()
      return [name, texts.length === 1 && texts[0] === '' ? [] : texts]
    }),
  )
}

/**
 * The values that a tile gives to its query. A parameter that the query does not have any more is left out; the defaults of the query
 * apply to parameters that the board gives no value.
 */
export function valuesOfTile(
  tile: Pick<Tile, 'parameterMapping'>,
  boardValues: ParameterValues,
  isParameterOfQuery: (name: string) => boolean,
): ParameterValues {
  const values: ParameterValues = {}
  for (const [name, parameter] of Object.entries(tile.parameterMapping ?? {})) {
    const value = boardValues[parameter]
    if (value !== undefined && isParameterOfQuery(name)) values[name] = value
  }
  return values
}
