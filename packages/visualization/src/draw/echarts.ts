import { BarChart, FunnelChart, HeatmapChart, LineChart, MapChart, PieChart, ScatterChart } from 'echarts/charts'
import {
  AxisPointerComponent,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GeoComponent,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { use } from 'echarts/core'

/** Everything our charts use; the page adds the canvas renderer, the server the SVG renderer. */
use([
  BarChart, FunnelChart, HeatmapChart, LineChart, MapChart, PieChart, ScatterChart,
  AxisPointerComponent, DataZoomInsideComponent, DataZoomSliderComponent, GeoComponent, GridComponent, LegendPlainComponent,
  MarkAreaComponent, MarkLineComponent, MarkPointComponent, VisualMapContinuousComponent,
])

export * as echarts from 'echarts/core'
