/**
 * The elements and props that a chart may use: those of Recharts, which people and models already know, and our own for charts that
 * Recharts does not have. Anything else is rejected: handlers, functions in disguise (`content`, `shape`, `tickFormatter`), links,
 * ids, class names and markup can do more than draw.
 */
export const chartElements: ReadonlySet<string> = new Set([
  'LineChart', 'BarChart', 'AreaChart', 'ScatterChart', 'PieChart', 'ComposedChart',
  'HeatmapChart', 'FunnelChart', 'HistogramChart', 'MapChart', 'NumberChart', 'PivotTable',
])

export const partElements: ReadonlySet<string> = new Set([
  'XAxis', 'YAxis', 'ZAxis', 'CartesianGrid', 'Tooltip', 'Legend', 'Line', 'Bar', 'Area', 'Scatter', 'Pie', 'Cell',
  'ReferenceLine', 'ReferenceArea', 'ReferenceDot', 'LabelList', 'Label', 'Brush', 'ErrorBar',
  'Heatmap', 'Funnel', 'Histogram', 'Map', 'Number', 'PivotRow', 'PivotColumn', 'PivotValue',
])

/** Also the keys allowed in objects given as props (`dot={{ r: 3 }}`), except in the styles below. */
export const propNames: ReadonlySet<string> = new Set([
  // What is drawn, and from which column.
  'dataKey', 'nameKey', 'name', 'unit', 'type', 'value', 'stackId', 'stackOffset', 'stroke', 'strokeWidth',
  'strokeDasharray', 'strokeOpacity', 'strokeLinecap', 'strokeLinejoin', 'fill', 'fillOpacity', 'opacity', 'color',
  'connectNulls', 'dot', 'activeDot', 'activeBar', 'label', 'labelLine', 'legendType', 'tooltipType', 'hide', 'line',
  'lineType', 'lineJointType', 'baseValue', 'baseLine', 'r', 'cx', 'cy', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'dx', 'dy',
  // Computed from the rows.
  'seriesKey', 'topN', 'bins', 'trend', 'movingAverage', 'missing', 'aggregate',
  // Single numbers.
  'timeKey', 'compare', 'target', 'sparkline', 'isLowerBetter',
  // Sizes and layout.
  'layout', 'width', 'height', 'margin', 'top', 'right', 'bottom', 'left', 'barSize', 'maxBarSize', 'barGap',
  'barCategoryGap', 'minPointSize', 'radius', 'background', 'innerRadius', 'outerRadius', 'startAngle', 'endAngle',
  'minAngle', 'paddingAngle', 'cornerRadius', 'reverseStackOrder', 'maxLines', 'angle', 'offset', 'position', 'gap',
  // Axes and grids.
  'xAxisId', 'yAxisId', 'zAxisId', 'domain', 'range', 'scale', 'ticks', 'tick', 'tickCount', 'tickLine', 'tickSize',
  'tickMargin', 'axisLine', 'allowDecimals', 'allowDataOverflow', 'allowDuplicatedCategory', 'interval', 'minTickGap',
  'orientation', 'mirror', 'reversed', 'padding', 'horizontal', 'vertical', 'horizontalPoints', 'verticalPoints',
  'includeHidden', 'direction', 'ifOverflow', 'isFront', 'segment', 'alwaysShow', 'travellerWidth', 'startIndex',
  'endIndex',
  // Text.
  'fontSize', 'fontFamily', 'fontWeight', 'fontStyle', 'textAnchor', 'verticalAnchor', 'dominantBaseline',
  // Tooltip and legend.
  'separator', 'cursor', 'shared', 'trigger', 'active', 'defaultIndex', 'filterNull', 'includeHidden',
  'allowEscapeViewBox', 'coordinate', 'align', 'verticalAlign', 'iconSize', 'iconType', 'inactiveColor', 'itemSorter',
  'contentStyle', 'itemStyle', 'labelStyle', 'wrapperStyle', 'style',
  // Animation.
  'isAnimationActive', 'animationBegin', 'animationDuration', 'animationEasing', 'syncMethod', 'accessibilityLayer',
])

export const styleProps: ReadonlySet<string> = new Set([
  'contentStyle', 'itemStyle', 'labelStyle', 'wrapperStyle', 'style',
])

/** Nothing that could place a chart's parts over the rest of the page. */
export const styleNames: ReadonlySet<string> = new Set([
  'color', 'background', 'backgroundColor', 'border', 'borderColor', 'borderRadius', 'borderStyle', 'borderWidth',
  'fill', 'fillOpacity', 'fontFamily', 'fontSize', 'fontStyle', 'fontWeight', 'lineHeight', 'opacity', 'padding',
  'stroke', 'strokeWidth', 'textAlign', 'whiteSpace',
])

/** Props whose text is a path into a row. */
export const pathProps: ReadonlySet<string> = new Set(['dataKey', 'nameKey', 'seriesKey', 'timeKey'])

/** Props whose text is only displayed. */
export const displayProps: ReadonlySet<string> = new Set(['name', 'value', 'label', 'unit', 'separator'])
