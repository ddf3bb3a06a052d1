export { type CellFormatter, isIdentifier, isPercent } from './cell-formatter.ts'
export { type ChartElement, type ChartProps, type ChartValue, element, textProp } from './chart-element.ts'
export { ChartFault } from './chart-fault.ts'
export { type CellColors, cellColors } from './cell-colors.ts'
export { columnsOf, findColumn } from './columns.ts'
export { isCountryColumn } from './country-column.ts'
export { changeKind } from './change-kind.ts'
export {
  type ColorCondition,
  type ColorRule,
  colorConditions,
  type ColumnFormat,
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
  type Arrangement,
  arrangementOf,
  canSplit,
  type ChartChoice,
  type ChartKind,
  type ComboPart,
  comboParts,
  hasManySeries,
  isCartesian,
  kindOf,
  readChoice,
  type SeriesChoice,
} from './chart-choice.ts'
export { defaultChoice } from './default-choice.ts'
export {
  hasPart,
  readTitle,
  setCategory,
  setHorizontal,
  setPart,
  setSize,
  setSplit,
  setTitle,
  whyNotEditable,
} from './edit.ts'
export {
  type AxisLimits,
  isLogarithmic,
  type MissingChoice,
  missingChoices,
  readLimits,
  readMissing,
  setLimits,
  setLogarithmic,
  setMissing,
} from './edit-axes.ts'
export { addLine, type ChartLine, editLine, type LineChange, readLines, removeLine } from './edit-lines.ts'
export { editNumber } from './edit-number.ts'
export { type PivotGroups, readGroups, setGroups } from './edit-pivot.ts'
export {
  addSeries,
  editSeries,
  hasTrend,
  readBins,
  readMovingAverage,
  readTopN,
  removeSeries,
  type SeriesChange,
  setArrangement,
  setBins,
  setMovingAverage,
  setTopN,
  setTrend,
} from './edit-series.ts'
export { fitChart } from './fit-chart.ts'
export { offerSplit } from './offer-split.ts'
export { makeChart } from './make-chart.ts'
export { type Field, type FieldType, isNumeric, isTime, numberOf, textOf, timeOf } from './fields.ts'
export { axisFormatter, formatCell, formatter, formatters } from './format.ts'
export { detectPeriods, periodLabels } from './format-time.ts'
export { contrastOf, invertLightness, isHexColor, mixColors, readHex, type Rgb } from './hex-color.ts'
export { type Kpi, type KpiComparison, type KpiInput, type KpiTarget, readKpi } from './kpi.ts'
export { maxNesting, nestedTooDeeply, parseRows } from './nesting.ts'
export { paletteLimits, paletteProblem, type PaletteHints, readPaletteHints, type Vision } from './palette.ts'
export { parseJsxConfig } from './parse.ts'
export { pivot, type PivotCell, type PivotHeader, type PivotInput, type PivotLimits, pivotLimits, type PivotLine, type PivotTable } from './pivot.ts'
export { type PivotConfig, type PivotValue, readPivotConfig } from './pivot-config.ts'
export { maxBarRows, maxPoints } from './prepare/cartesian.ts'
export { canDrawChosenRows, chooseDrawnRows } from './prepare/drawn-rows.ts'
export { pointCount, prepareRows } from './prepare/prepare.ts'
export { defaultTopN } from './prepare/split-rows.ts'
export type { Category, ChartInput, DrawnSeries, PreparedChart } from './prepare/prepared-chart.ts'
export { type ChartShape, readShape, type Series, type SeriesKind } from './shape.ts'
export { drawSparkline } from './sparkline.ts'
export { type ChartSuggestion, suggestChart, suggestCharts } from './suggest.ts'
export { describeChart } from './describe.ts'
export { makeNumber, readNumber, type ShownNumber } from './one-number.ts'
export { columnTotals, type Total, totalOf } from './totals.ts'
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
