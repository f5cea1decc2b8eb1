import { Component, type ReactNode } from 'react';
import { forgetFailedCode } from '#platform/code-on-demand.ts';

interface BoundaryProps {
  /** In place of what broke; `retry` renders that anew. */
  readonly fallback: (retry: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** A part that breaks says so, and the others go on. */
export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(error: unknown) {
    forgetFailedCode(error);
  }

  override render() {
    return this.state.broken ? this.props.fallback(() => this.setState({ broken: false })) : this.props.children;
  }
}
