export interface DeepLink {
  readonly kind: string;
  readonly id?: string;
}

const form = /^#open=(?<kind>[a-z][a-z-]{0,31})(?::(?<id>[A-Za-z0-9_-]{1,64}))?$/;

/** `#open=document:<id>` or `#open=received`; `undefined` for any kind that is not on the list and any other text. */
export function parseDeepLink(hash: string, kinds: readonly string[]): DeepLink | undefined {
  const { kind, id } = form.exec(hash)?.groups ?? {};
  if (kind === undefined || !kinds.includes(kind)) return undefined;
  return id === undefined ? { kind } : { kind, id };
}

export function formatDeepLink({ kind, id }: DeepLink): string {
  return id === undefined ? `#open=${kind}` : `#open=${kind}:${id}`;
}
