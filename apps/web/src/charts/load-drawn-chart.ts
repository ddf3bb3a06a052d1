/** ECharts and the JSX parser are loaded with the first chart, or as soon as a page knows that it will have one. */
export const loadDrawnChart = () => import('./drawn-chart.tsx')
