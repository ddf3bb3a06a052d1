import { Component, type ReactNode } from 'react'
import { Problem } from '../ui/notice.tsx'

interface Props {
  /** What is drawn; when that changes, it is tried again. */
  subject: unknown
  children: ReactNode
}

interface State {
  error: unknown
  subject: unknown
}

/** A chart that fails takes nothing else of the page with it, and says why. */
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
    const reason = error instanceof Error ? error.message : 'The drawing failed without a reason.'
    return (
      <Problem title="This chart cannot be drawn" message={reason} onRetry={() => this.setState({ error: null })}>
        <p>Edit the chart; the rows themselves are not touched by this.</p>
      </Problem>
    )
  }
}
