import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { offKey } from './layer-mark.ts';

type Resolve = (ref: PdfRef) => ReturnType<PDF['getObject']>;

/** A flag of annotations. */
const hidden = 2;
const deepestExpression = 32;

/**
 * Marks, in a copy of a PDF, the content of layers (optional content) that are off when it is viewed: each is given one layer that says so.
 * Annotations of such a layer are hidden. Answers whether there are any. `objects` are all of the file.
 */
export function markHiddenLayers(pdf: PDF, objects: Iterable<PdfObject>): boolean {
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  const properties = pdf.context.catalog.getDict().getDict('OCProperties', resolve);
  if (properties === undefined) return false;
  const isOff = createOffTest(properties, resolve);
  const off = pdf.register(
    PdfDict.of({
      Type: PdfName.of('OCG'),
      Name: PdfString.fromString('off'),
      [offKey]: PdfString.fromString('off'),
      Usage: PdfDict.of({ View: PdfDict.of({ ViewState: PdfName.of('OFF') }) }),
    }),
  );
  let hides = false;
  for (const object of objects) {
    if (!(object instanceof PdfDict)) continue;
    for (const layers of [object, object.getDict('Resources', resolve)].map((holder) => holder?.getDict('Properties', resolve)))
      for (const [name, layer] of layers ?? [])
        if (isOff(layer)) {
          layers?.set(name, off);
          hides = true;
        }
    if (!isOff(object.get('OC'))) continue;
    hides = true;
    if (object instanceof PdfStream) markContent(object, { off, resolve });
    else if (object.has('Rect')) object.set('F', PdfNumber.of((object.getNumber('F', resolve)?.value ?? 0) | hidden));
  }
  return hides;
}

/** Of a form XObject: its own layer is none of its content's. */
function markContent(form: PdfStream, { off, resolve }: { off: PdfRef; resolve: Resolve }): void {
  if (form.getName('Subtype', resolve)?.value !== 'Form') return;
  const resources = form.getDict('Resources', resolve) ?? new PdfDict();
  const layers = resources.getDict('Properties', resolve) ?? new PdfDict();
  layers.set(offKey, off);
  resources.set('Properties', layers);
  form.set('Resources', resources);
  form.setData(Buffer.concat([Buffer.from(`/OC /${offKey} BDC\n`), form.getDecodedData(), Buffer.from('\nEMC\n')]));
}

/** As the engine decides what it draws: the state for viewing that a layer names itself is before that of the configuration. */
function createOffTest(properties: PdfDict, resolve: Resolve): (layer: PdfObject | undefined) => boolean {
  const known = refsOf(properties.getArray('OCGs', resolve));
  const configuration = configurationOf(properties, resolve);
  const isOnAtFirst = configuration?.getName('BaseState', resolve)?.value !== 'OFF';
  const [on, off] = ['ON', 'OFF'].map((key) => refsOf(configuration?.getArray(key, resolve)));

  function isGroupOn(layer: PdfObject | undefined): boolean {
    const group = asDictionary(layer, resolve);
    if (group === undefined) return false;
    if (!isForViewing(group, resolve)) return true;
    const own = group.getDict('Usage', resolve)?.getDict('View', resolve)?.getName('ViewState', resolve)?.value;
    if (own !== undefined) return own !== 'OFF';
    const key = layer instanceof PdfRef ? layer.toString() : '';
    if (!known.has(key)) return true;
    return off?.has(key) !== true && (isOnAtFirst || on?.has(key) === true);
  }

  function holds(expression: PdfArray, depth: number): boolean {
    const [operator, ...operands] = expression.toArray();
    const values = operands.map((operand) => {
      const inner = operand instanceof PdfRef ? resolve(operand) : operand;
      return inner instanceof PdfArray ? depth < deepestExpression && holds(inner, depth + 1) : isGroupOn(operand);
    });
    const name = operator instanceof PdfName ? operator.value : '';
    if (name === 'Not') return values[0] === false;
    return name === 'Or' ? values.some(Boolean) : name === 'And' && values.length > 0 && values.every(Boolean);
  }

  function isMembershipOn(membership: PdfDict): boolean {
    const expression = membership.getArray('VE', resolve);
    if (expression !== undefined) return holds(expression, 0);
    const groups = membership.get('OCGs');
    const list = groups instanceof PdfRef ? resolve(groups) : groups;
    if (list instanceof PdfDict) return isGroupOn(groups);
    const states = (list instanceof PdfArray ? list.toArray() : [])
      .filter((group) => asDictionary(group, resolve) !== undefined)
      .map(isGroupOn);
    if (states.length === 0) return true;
    const policy = membership.getName('P', resolve)?.value;
    if (policy === 'AllOn') return states.every(Boolean);
    if (policy === 'AllOff') return !states.some(Boolean);
    return policy === 'AnyOff' ? states.includes(false) : states.includes(true);
  }

  return (layer) => {
    const dictionary = asDictionary(layer, resolve);
    if (dictionary === undefined) return false;
    return dictionary.getName('Type', resolve)?.value === 'OCMD' ? !isMembershipOn(dictionary) : !isGroupOn(layer);
  };
}

/** The engine takes another one than the default only where that says what it is for. */
function configurationOf(properties: PdfDict, resolve: Resolve): PdfDict | undefined {
  const others = properties.getArray('Configs', resolve)?.toArray() ?? [];
  const forViewing = others
    .map((other) => asDictionary(other, resolve))
    .find((other) => other?.has('Intent') === true && isForViewing(other, resolve));
  return forViewing ?? properties.getDict('D', resolve);
}

function isForViewing(dictionary: PdfDict, resolve: Resolve): boolean {
  const intent = dictionary.get('Intent', resolve);
  if (intent === undefined) return true;
  const names = intent instanceof PdfArray ? intent.toArray() : [intent];
  return names.some((name) => name instanceof PdfName && (name.value === 'View' || name.value === 'All'));
}

function asDictionary(object: PdfObject | undefined, resolve: Resolve): PdfDict | undefined {
  const resolved = object instanceof PdfRef ? resolve(object) : object;
  return resolved instanceof PdfDict ? resolved : undefined;
}

function refsOf(array: PdfArray | undefined): ReadonlySet<string> {
  return new Set((array?.toArray() ?? []).flatMap((item) => (item instanceof PdfRef ? [item.toString()] : [])));
}
