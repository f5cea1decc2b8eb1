import { offKey } from './layer-mark.ts';
import type { Pdfium } from './pdfium.ts';

/** Of one page or form, nested ones included. */
const maxObjects = 500_000;
const deepest = 16;
const [textType, formType] = [1, 5];

/** A page, or a form on one. */
interface Holder {
  count(): number;
  at(index: number): number;
  remove(object: number): boolean;
}

/**
 * Takes off a loaded page what belongs to layers that are off, before its text is read. Of a copy in which they are marked (hidden-layers.ts).
 * Answers whether words were among it.
 */
export function removeHiddenObjects(pdfium: Pdfium, { page, scratch }: { page: number; scratch: number }): boolean {
  const { api } = pdfium;
  let left = maxObjects;
  let hidText = false;

  const formOf = (form: number): Holder => ({
    count: () => api.FPDFFormObj_CountObjects(form),
    at: (index) => api.FPDFFormObj_GetObject(form, index),
    remove: (object) => api.FPDFFormObj_RemoveObject(form, object),
  });
  const isOff = (object: number): boolean => {
    const marks = api.FPDFPageObj_CountMarks(object);
    for (let index = 0; index < marks; index++)
      if (api.FPDFPageObjMark_GetParamStringValue(api.FPDFPageObj_GetMark(object, index), offKey, 0, 0, scratch)) return true;
    return false;
  };
  const holdsText = (object: number, depth: number): boolean => {
    const type = api.FPDFPageObj_GetType(object);
    if (type !== formType || depth > deepest) return type === textType;
    const count = api.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && left > 0; index++, left--)
      if (holdsText(api.FPDFFormObj_GetObject(object, index), depth + 1)) return true;
    return false;
  };
  const visit = (holder: Holder, depth: number): void => {
    for (let index = holder.count() - 1; index >= 0 && left > 0; index--, left--) {
      const object = holder.at(index);
      if (isOff(object)) {
        hidText ||= holdsText(object, depth);
        if (holder.remove(object)) api.FPDFPageObj_Destroy(object);
      } else if (depth < deepest && api.FPDFPageObj_GetType(object) === formType) visit(formOf(object), depth + 1);
    }
  };

  visit(
    {
      count: () => api.FPDFPage_CountObjects(page),
      at: (index) => api.FPDFPage_GetObject(page, index),
      remove: (object) => api.FPDFPage_RemoveObject(page, object),
    },
    0,
  );
  return hidText;
}
