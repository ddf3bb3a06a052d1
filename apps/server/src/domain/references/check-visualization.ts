import {
  type ChartElement,
  ChartFault,
  elementsOfTypes,
  type MarginConfig,
  marginMax,
  marginSides,
  parseJsxConfig,
  type Visualization,
  type VisualizationType,
  visualizationTypes,
} from '@querypost/visualization'
import { checkColumns } from './check-columns.ts'
import { fieldsOf, refuse } from './refuse-visualization.ts'
import { Refusal } from '../refusal.ts'

const fields = ['type', 'jsxConfig', 'marginConfig', 'columns', 'hasTotals']

/** Returns the visualization with only known, checked fields. Throws an error that names the fault. */
export function checkVisualization(input: unknown): Visualization {
  const { type, jsxConfig, marginConfig, columns, hasTotals } = fieldsOf(input, fields, '/visualization')
  if (!isVisualizationType(type)) refuse('/visualization/type', `must be one of ${visualizationTypes.join(', ')}`)
  if (typeof jsxConfig !== 'string') refuse('/visualization/jsxConfig', 'must be text')
  if (jsxConfig.trim() !== '') checkElement(type, readJsxConfig(jsxConfig))
  else if (type !== 'table' && type !== 'number') {
    refuse('/visualization/jsxConfig', `must describe a chart for type ${type}`)
  }
  if (hasTotals !== undefined && typeof hasTotals !== 'boolean') refuse('/visualization/hasTotals', 'must be true or false')
  return {
    type,
    jsxConfig,
    marginConfig: checkMargin(marginConfig),
    ...(columns !== undefined && { columns: checkColumns(columns) }),
    ...(hasTotals !== undefined && { hasTotals }),
  }
}

/** The first types may be drawn by any of the first chart elements; each later type has an element of its own. */
function checkElement(type: VisualizationType, { name }: ChartElement): void {
  const allowed = elementsOfTypes[type]
  if (!allowed.includes(name)) {
    refuse('/visualization/jsxConfig', `must begin with ${allowed.map((each) => `<${each}>`).join(' or ')} for type ${type}`)
  }
}

function readJsxConfig(jsxConfig: string): ChartElement {
  try {
    return parseJsxConfig(jsxConfig)
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
