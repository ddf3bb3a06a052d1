import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import type { ChartBuilderProps } from './chart-builder-props.ts'

const Builder = lazy(() => import('./builder/builder.tsx'))

/** Chooses how a result is shown: by a form, or as the text that it is stored as. */
export function ChartBuilder(props: ChartBuilderProps) {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Builder {...props} />
    </Suspense>
  )
}
