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
import { refitChart } from '../refit.ts'
import { readChart } from '../use-chart.ts'
import { ChartForm } from './chart-form.tsx'
import type { ChartFormProps } from './chart-form-props.ts'
import { chartOf, empty, isDrawn, withText, withType } from './draft.ts'
import { JsxText } from './jsx-text.tsx'
import { MarginFields } from './margin-fields.tsx'
import { NumberForm } from './number-form.tsx'
import { Suggestions } from './suggestions.tsx'
import { TypePicker } from './type-picker.tsx'

export default function Builder({ fields, rows, value, onChange }: ChartBuilderProps) {
  const [tab, setTab] = useState<'form' | 'text'>('form')
  const visualization = value ?? empty
  // Start with a suggested chart if there is none yet, and adapt one whose columns have vanished.
  const suggest = useEffectEvent(() => {
    const suggestion = value === null ? suggestChart(fields, rows) : refitChart(value, { fields, rows })
    if (suggestion && suggestion !== value) onChange(suggestion)
  })
  useEffect(() => suggest(), [fields])
  const { type, jsxConfig, marginConfig } = visualization
  const { element, fault } = jsxConfig.trim() === '' ? { element: null, fault: null } : readChart(jsxConfig)
  const isChart = type !== 'table' && type !== 'number'
  const chart = chartOf(visualization, element)
  // While JSX is typed it is often invalid; keep showing the last valid chart.
  const lastValid = useRef({ visualization, chart: null as ChartElement | null })
  if (!fault && (element || !isChart)) {
    lastValid.current = { visualization, chart: chart ?? lastValid.current.chart }
  }
  const setType = (next: VisualizationType) =>
    onChange(withType(visualization, { type: next, known: lastValid.current.chart, fields, rows }))
  const setText = (text: string) => onChange(withText(visualization, text))
  const settings = (
    <>
      {fault && <Hint kind="warning">The JSX is not a valid chart. Fix it under “JSX”.</Hint>}
      {type === 'table' && <p className="text-soft">Shows all rows and columns.</p>}
      {type === 'number' && !fault && (
        <NumberForm chart={element} fields={fields} onChange={setText} />
      )}
      {isChart && element && (
        <ChartSettings {...{ fields, rows }} chart={element} onChange={(edited) => setText(writeJsxConfig(edited))} />
      )}
      {isDrawn(type) && (
        <MarginFields
          margin={marginConfig}
          onChange={(margin) => onChange({ ...visualization, marginConfig: margin })}
        />
      )}
    </>
  )
  return (
    // Used in pages and in dialogs, so its layout depends on its own width.
    <div className="@container grid gap-4">
      <Suggestions {...{ fields, rows }} value={visualization} onChange={onChange} />
      <TypePicker value={type} onChange={setType} />
      <div className={`grid min-w-0 gap-6 ${tab === 'form' ? '@2xl:grid-cols-[19rem_minmax(0,1fr)]' : '@2xl:grid-cols-2'}`}>
        <div className="min-w-0">
          <Tabs<'form' | 'text'>
            label="Edit chart"
            current={tab}
            onChange={setTab}
            tabs={[
              { name: 'form', label: 'Settings', content: <div className="grid gap-4">{settings}</div> },
              {
                name: 'text',
                label: 'JSX',
                content: <JsxText value={visualization} fault={fault} onChange={setText} />,
              },
            ]}
          />
        </div>
        <section
          aria-label="Preview"
          className="order-first grid min-w-0 gap-2 self-start @2xl:sticky @2xl:top-4 @2xl:order-none"
        >
          {fault && <p className="text-xs text-soft">Last valid version:</p>}
          <ChartView
            {...{ fields, rows }}
            visualization={lastValid.current.visualization}
            hasTable
            onSplit={(_, split) => setText(split.jsxConfig)}
          />
        </section>
      </div>
    </div>
  )
}

/** The form, or the reason why it cannot edit this chart. */
function ChartSettings(props: ChartFormProps) {
  const reason = whyNotEditable(props.chart)
  if (reason === null) return <ChartForm {...props} />
  return (
    <Hint>
      The form can’t edit this chart. {reason} Edit it under “JSX”, or choose a type above to start over.
    </Hint>
  )
}
