import { parseSync, type Expression, type Node, Visitor } from 'oxc-parser';

export interface Import {
  /** As written, without the query of a Vite import (`?raw`, `?url`, `?worker`). */
  specifier: string;
  line: number;
}

/**
 * Everything a module reaches: static and `import type` imports, re-exports, `import()`, `import('…')` in a type and `new URL('…', import.meta.url)`,
 * which is how a worker or a data file is reached. Throws a SyntaxError when the source cannot be read, and for an `import()` whose target cannot
 * be resolved statically: an import that the check cannot follow would escape it.
 */
export function importsOf(file: string, source: string): Import[] {
  const { program, module, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new SyntaxError(errors[0].message);
  const found: { specifier: string; at: number }[] = [];
  for (const { moduleRequest } of module.staticImports) found.push({ specifier: moduleRequest.value, at: moduleRequest.start });
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries)
      if (moduleRequest !== null) found.push({ specifier: moduleRequest.value, at: moduleRequest.start });
  new Visitor({
    ImportExpression(node) {
      const specifier = textOf(node.source);
      if (specifier !== undefined) found.push({ specifier, at: node.start });
      else if (isWithinOurs(node.source))
        throw new SyntaxError(`import() of something worked out at run time (line ${lineAt(source, node.start)})`);
    },
    TSImportType(node) {
      found.push({ specifier: node.source.value, at: node.start });
    },
    NewExpression(node) {
      const [first, base] = node.arguments;
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || base === undefined || !isOwnUrl(base)) return;
      const specifier = first === undefined ? undefined : textOf(first);
      if (specifier !== undefined && /^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(specifier)) found.push({ specifier, at: node.start });
    },
  }).visit(program);
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ specifier, at }) => ({ specifier: specifier.replace(/\?.*$/, ''), line: lineAt(source, at) }));
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  const [only, ...more] = node.type === 'TemplateLiteral' ? node.quasis : [];
  return more.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
}

// A computed import is fine when it is not of ours: a file URL made at run time, as the check scripts and the command line do.
function isWithinOurs(node: Expression): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'BinaryExpression' && node.operator === '+');
}

function isOwnUrl(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'MetaProperty' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'url'
  );
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
