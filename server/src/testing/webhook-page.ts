import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');

/** Each payload of docs/webhooks.md. */
export const payloadsOfPage = page.match(/^ {4}\{ "id"[^]*?\n\n/gm) ?? [];

/** What docs/webhooks.md shows in this language. */
export const programOfPage = (language: 'js' | 'python'): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
