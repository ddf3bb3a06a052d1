import { Refusal } from '../refusal.ts'
import { parseJsxConfig } from './jsx-config.ts'

/** How a reference's result is shown. `jsxConfig` is kept as the text it was written as; see `jsx-config.ts`. */
export const visualizationTypes = ['table', 'number', 'line', 'bar', 'area', 'scatter', 'pie'] as const
export type VisualizationType = (typeof visualizationTypes)[number]

export interface MarginConfig {
  top: number
  right: number
  bottom: number
  left: number
}

export interface Visualization {
  type: VisualizationType
  jsxConfig: string
  marginConfig: MarginConfig
}

const sides = ['top', 'right', 'bottom', 'left'] as const
const marginMax = 1000

/** The visualization, with nothing in it but what is known and checked, or a refusal that names the fault. */
export function checkVisualization(input: unknown): Visualization {
  const { type, jsxConfig, marginConfig } = fieldsOf(input, ['type', 'jsxConfig', 'marginConfig'], '/visualization')
  if (!isVisualizationType(type)) refuse('/visualization/type', `must be one of ${visualizationTypes.join(', ')}`)
  if (typeof jsxConfig !== 'string') refuse('/visualization/jsxConfig', 'must be text')
  if (jsxConfig.trim() !== '') parseJsxConfig(jsxConfig)
  else if (type !== 'table' && type !== 'number') {
    refuse('/visualization/jsxConfig', `must describe the chart of a visualization of type ${type}`)
  }
  return { type, jsxConfig, marginConfig: checkMargin(marginConfig) }
}

function isVisualizationType(type: unknown): type is VisualizationType {
  return (visualizationTypes as readonly unknown[]).includes(type)
}

function checkMargin(input: unknown): MarginConfig {
  const margin = fieldsOf(input, sides, '/visualization/marginConfig')
  const side = (name: (typeof sides)[number]): number => {
    const value = margin[name]
    if (typeof value === 'number' && Math.abs(value) <= marginMax) return value
    return refuse(`/visualization/marginConfig/${name}`, `must be a number from -${marginMax} to ${marginMax}`)
  }
  return { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') }
}

function fieldsOf(input: unknown, names: readonly string[], path: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse(path, `must be an object with ${names.join(', ')}`)
  }
  const unknownName = Object.keys(input).find((name) => !names.includes(name))
  if (unknownName !== undefined) refuse(`${path}/${unknownName}`, `is not known; there are only ${names.join(', ')}`)
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined]),
  )
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_request', `The visualization is not valid: ${path} ${message}.`, [{ path, message }])
}
