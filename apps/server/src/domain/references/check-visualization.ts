import {
  ChartFault,
  checkColumns,
  ColumnFault,
  type ColumnSettings,
  type MarginConfig,
  marginMax,
  marginSides,
  parseJsxConfig,
  type Visualization,
  type VisualizationType,
  visualizationTypes,
} from '@querypost/visualization'
import { Refusal } from '../refusal.ts'

/** Returns the visualization with only known, checked fields. Throws an error that names the fault. */
export function checkVisualization(input: unknown): Visualization {
  const given = fieldsOf(input, ['type', 'jsxConfig', 'marginConfig', 'columns', 'hasTotals'], '/visualization')
  const { type, jsxConfig, marginConfig, columns, hasTotals } = given
  if (!isVisualizationType(type)) refuse('/visualization/type', `must be one of ${visualizationTypes.join(', ')}`)
  if (typeof jsxConfig !== 'string') refuse('/visualization/jsxConfig', 'must be text')
  if (jsxConfig.trim() !== '') checkJsxConfig(jsxConfig)
  else if (type !== 'table' && type !== 'number') {
    refuse('/visualization/jsxConfig', `must describe a chart for type ${type}`)
  }
  if (hasTotals !== undefined && typeof hasTotals !== 'boolean') refuse('/visualization/hasTotals', 'must be true or false')
  return {
    type,
    jsxConfig,
    marginConfig: checkMargin(marginConfig),
    ...(columns !== undefined && { columns: checkColumnSettings(columns) }),
    ...(hasTotals !== undefined && { hasTotals }),
  }
}

function checkColumnSettings(columns: unknown): ColumnSettings[] {
  try {
    return checkColumns(columns)
  } catch (error) {
    if (!(error instanceof ColumnFault)) throw error
    return refuse(`/visualization/columns${error.path}`, error.problem)
  }
}

function checkJsxConfig(jsxConfig: string): void {
  try {
    parseJsxConfig(jsxConfig)
  } catch (error) {
    if (!(error instanceof ChartFault)) throw error
    const details = [{ path: '/visualization/jsxConfig', message: error.problem }]
    throw new Refusal('invalid_request', error.message, details)
  }
}

function isVisualizationType(type: unknown): type is VisualizationType {
  return (visualizationTypes as readonly unknown[]).includes(type)
}

function checkMargin(input: unknown): MarginConfig {
  const margin = fieldsOf(input, marginSides, '/visualization/marginConfig')
  const side = (name: (typeof marginSides)[number]): number => {
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
  if (unknownName !== undefined) refuse(`${path}/${unknownName}`, `is not known; the fields are ${names.join(', ')}`)
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined]),
  )
}

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_request', `The visualization is not valid: ${path} ${message}.`, [{ path, message }])
}
