import type { ParameterDefinition } from '../../model/parameter.ts'
import { publicLinkLimits, type ViewerOptions } from '../../model/sharing/public-link.ts'
import { canonicalValue, whatFits } from '../parameters/check-value.ts'
import { badInput } from '../people/check-text.ts'

/** Checks what someone wants to share against the parameters of the item, and returns it in canonical form. */
export function checkViewerOptions(definitions: readonly ParameterDefinition[], options: ViewerOptions): ViewerOptions {
  const { parameters, downloads } = options
  const names = new Set<string>()
  const checked = parameters.map(({ name, values }, at) => {
    const path = `/parameters/${at}`
    const definition = definitions.find((known) => known.name === name)
    if (!definition) throw badInput(`${path}/name`, `is not a parameter: ${JSON.stringify(name)}`)
    if (names.has(name)) throw badInput(`${path}/name`, `is given twice: ${JSON.stringify(name)}`)
    names.add(name)
    const canonical = (values ?? []).map((value, index) => {
      const fitting = canonicalValue(definition.type, value)
      if (fitting === undefined) throw badInput(`${path}/values/${index}`, `does not fit the type ${definition.type}: ${whatFits[definition.type].replace(/\.$/, '')}`)
      return fitting
    })
    const distinct = [...new Set(canonical)]
    if (distinct.length > publicLinkLimits.allowedValues) {
      throw badInput(`${path}/values`, `must have at most ${publicLinkLimits.allowedValues} values; it has ${distinct.length}`)
    }
    return { name, values: distinct }
  })
  return { ...options, parameters: checked, downloads: [...new Set(downloads)].sort() }
}
