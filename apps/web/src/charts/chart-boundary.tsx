import { Component, type ReactNode } from 'react'
import { Problem } from '../ui/notice.tsx'

interface Props {
  /** The chart being drawn; a change of it clears the error. */
  subject: unknown
  children: ReactNode
}

interface State {
  error: unknown
  subject: unknown
}

/** Contains the error of a chart that fails to draw, so that the rest of the page keeps working. */
export class ChartBoundary extends Component<Props, State> {
  override state: State = { error: null, subject: this.props.subject }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ subject }: Props, state: State): State | null {
    return subject === state.subject ? null : { error: null, subject }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const reason = error instanceof Error ? error.message : 'Drawing failed for an unknown reason.'
    return (
      <Problem title="Couldn’t draw the chart" message={reason} onRetry={() => this.setState({ error: null })}>
        <p>Edit the chart to fix it. The data is not affected.</p>
      </Problem>
    )
  }
}
