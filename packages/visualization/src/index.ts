export { type ChartElement, type ChartProps, type ChartValue, element, textProp } from './chart-element.ts'
export { ChartFault } from './chart-fault.ts'
export { columnsOf, findColumn } from './columns.ts'
export {
  type ColorCondition,
  type ColorRule,
  colorConditions,
  columnLimits,
  type ColumnSettings,
  columnTitle,
  findSettings,
  type FormatStyle,
  formatStyles,
  granularities,
  type Granularity,
  shownColumns,
  type TotalKind,
  totalKinds,
} from './column-settings.ts'
export {
  addSeries,
  editSeries,
  isStacked,
  removeSeries,
  type SeriesChange,
  setCategory,
  setHorizontal,
  setPart,
  setStacked,
  setTitle,
  whyNotEditable,
} from './edit.ts'
export { changeKind, makeChart } from './make-chart.ts'
export { type Field, type FieldType, isNumeric, isTime, numberOf, textOf, timeOf } from './fields.ts'
export { type ColumnFormat, columnFormat, columnFormats, isPercent } from './format.ts'
export { maxNesting, nestedTooDeeply, parseRows } from './nesting.ts'
export { parseJsxConfig } from './parse.ts'
export { maxBarRows, maxPoints, prepareRows } from './prepare.ts'
export type { ChartPoint, PreparedChart } from './prepared-chart.ts'
export { type ChartShape, readShape, type Series, type SeriesKind } from './shape.ts'
export { suggestChart } from './suggest.ts'
export { describeChart } from './describe.ts'
export { makeNumber, readNumber, type ShownNumber } from './one-number.ts'
export {
  elementsOfTypes,
  type MarginConfig,
  marginMax,
  marginSides,
  defaultMargin,
  type Visualization,
  type VisualizationType,
  visualizationTypes,
} from './visualization.ts'
export { chartElements, partElements, propNames } from './vocabulary.ts'
export { writeJsxConfig } from './write.ts'
