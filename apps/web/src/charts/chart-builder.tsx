import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ChartBuilderProps } from './chart-builder-props.ts'

const Builder = lazy(() => import('./builder/builder.tsx'))

/** Edits the chart of a result, by a form or as JSX. */
export function ChartBuilder(props: ChartBuilderProps) {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Builder {...props} />
    </Suspense>
  )
}
