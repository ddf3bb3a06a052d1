import type { Field, Visualization } from '@querypost/visualization'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'

const Builder = lazy(() => import('./builder/builder.tsx'))

export interface ChartBuilderProps {
  fields: Field[]
  rows: unknown[][]
  /** Null: no visualization yet. */
  value: Visualization | null
  /** Also told of a text that is not a chart yet: the service says what is wrong with it when it is saved. */
  onChange(value: Visualization): void
}

/** Chooses how a result is shown: by a form, or as the text that it is stored as. */
export function ChartBuilder(props: ChartBuilderProps) {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Builder {...props} />
    </Suspense>
  )
}
