import {
  type ChartElement,
  suggestChart,
  type VisualizationType,
  whyNotEditable,
  writeJsxConfig,
} from '@querypost/visualization'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Hint } from '../../ui/notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { ChartBuilderProps } from '../chart-builder-props.ts'
import { ChartView } from '../chart-view.tsx'
import { readChart } from '../use-chart.ts'
import { ChartForm } from './chart-form.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { empty, withText, withType } from './draft.ts'
import { JsxText } from './jsx-text.tsx'
import { MarginFields } from './margin-fields.tsx'
import { NumberForm } from './number-form.tsx'
import { TypePicker } from './type-picker.tsx'

export default function Builder({ fields, rows, value, onChange }: ChartBuilderProps) {
  const [tab, setTab] = useState<'form' | 'text'>('form')
  const visualization = value ?? empty
  // Whoever opens this wants a chart: where there is none, the one that fits the columns is there to begin with.
  const suggest = useEffectEvent(() => {
    const suggestion = value === null ? suggestChart(fields, rows) : null
    if (suggestion) onChange(suggestion)
  })
  useEffect(() => suggest(), [])
  const { type, jsxConfig, marginConfig } = visualization
  const { element, fault } = jsxConfig.trim() === '' ? { element: null, fault: null } : readChart(jsxConfig)
  const isChart = type !== 'table' && type !== 'number'
  // While a text is being written it is no chart for moments; what was drawn last stays in view.
  const lastGood = useRef({ visualization, chart: null as ChartElement | null })
  if (!fault && (element || !isChart)) {
    lastGood.current = { visualization, chart: isChart ? element : lastGood.current.chart }
  }
  const setType = (next: VisualizationType) =>
    onChange(withType(visualization, { type: next, known: lastGood.current.chart, fields, rows }))
  const setText = (text: string) => onChange(withText(visualization, text))
  const settings = (
    <>
      {fault && <Hint kind="warning">The text is not a chart yet. Mend it under “As JSX”.</Hint>}
      {type === 'table' && <p className="text-soft">All rows and columns, as the query gives them.</p>}
      {type === 'number' && !fault && (
        <NumberForm chart={element} fields={fields} onChange={setText} />
      )}
      {isChart && element && (
        <ChartSettings chart={element} fields={fields} onChange={(chart) => setText(writeJsxConfig(chart))} />
      )}
      {isChart && (
        <MarginFields
          margin={marginConfig}
          onChange={(margin) => onChange({ ...visualization, marginConfig: margin })}
        />
      )}
    </>
  )
  return (
    // It stands in pages and in dialogs: its own width decides, not the screen's.
    <div className="@container grid gap-4">
      <TypePicker value={type} onChange={setType} />
      <div className={`grid min-w-0 gap-6 ${tab === 'form' ? '@2xl:grid-cols-[19rem_minmax(0,1fr)]' : '@2xl:grid-cols-2'}`}>
        <div className="min-w-0">
          <Tabs<'form' | 'text'>
            label="How to edit the chart"
            current={tab}
            onChange={setTab}
            tabs={[
              { name: 'form', label: 'Settings', content: <div className="grid gap-4">{settings}</div> },
              {
                name: 'text',
                label: 'As JSX',
                content: <JsxText value={visualization} fault={fault} onChange={setText} />,
              },
            ]}
          />
        </div>
        <section
          aria-label="Preview"
          className="order-first grid min-w-0 gap-2 self-start @2xl:sticky @2xl:top-4 @2xl:order-none"
        >
          {fault && <p className="text-xs text-soft">As it was drawn last, until the text is a chart again:</p>}
          <ChartView visualization={lastGood.current.visualization} fields={fields} rows={rows} />
        </section>
      </div>
    </div>
  )
}

/** The form, or why it leaves this chart alone. */
function ChartSettings(props: ChartFormProps) {
  const reason = whyNotEditable(props.chart)
  if (reason === null) return <ChartForm {...props} />
  return (
    <Hint>
      This chart was written by hand, and the form cannot show all of it. {reason} Edit it under “As JSX”, or choose a
      type above to begin a new one.
    </Hint>
  )
}
