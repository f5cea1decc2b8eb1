import * as z from 'zod/mini';
import { protectedCall } from './call.ts';
import { sortOrder } from './documents.ts';
import { listLimits, savedViewLimits } from './limits.ts';
import { periodPattern } from './periods.ts';
import { calendarDay, documentId, keptText, limitedText, patternedText, queryText } from './values.ts';

export const savedViewKinds = ['received', 'statements', 'public'] as const;
export type SavedViewKind = (typeof savedViewKinds)[number];

const key = patternedText(/^[A-Za-z0-9_]{1,64}$/, { maxLength: 64 });
const day = z.nullable(calendarDay);

/** The filter by what the client has not read, which is no key of the metadata; its value is `true`. */
export const unreadFilter = { key: 'UNREAD', value: 'true' } as const;

/** One field of the filter form: part of a text, or the exact key of an option; or the days from and to, either of which may be open. */
export const savedFilter = z.union([z.strictObject({ key, value: queryText }), z.strictObject({ key, from: day, to: day })]);
export type SavedFilter = z.output<typeof savedFilter>;

/** The content of a list. `period` is an option of D7, so that a view of the last three months stays relative. */
export const savedViewContent = z.strictObject({
  text: z._default(queryText, ''),
  period: patternedText(periodPattern, { maxLength: 14 }),
  filters: z._default(z.array(savedFilter).check(z.maxLength(savedViewLimits.maxFilters)), []),
  sort: z._default(z.array(z.extend(sortOrder, { by: key })).check(z.maxLength(listLimits.maxSorts)), []),
  columns: z._default(
    z
      .array(
        z.strictObject({
          key,
          shown: z.boolean(),
          widthPx: z._default(z.nullable(z.int().check(z.gte(listLimits.columnMinWidthPx), z.lte(savedViewLimits.columnMaxWidthPx))), null),
        }),
      )
      .check(z.maxLength(listLimits.maxColumns)),
    [],
  ),
  pageSize: z._default(
    z.int().check(z.refine((size) => listLimits.pageSizes.some((one) => one === size), { error: 'not a page size' })),
    listLimits.defaultPageSize,
  ),
});
export type SavedViewContent = z.output<typeof savedViewContent>;

/** Without spaces at its ends. */
const name = z.pipe(limitedText(4 * savedViewLimits.nameMaxLength).check(z.trim()), keptText(savedViewLimits.nameMaxLength));

export const savedView = z.object({
  id: z.string(),
  /** Null: not in a folder. */
  folderId: z.nullable(z.string()),
  name: z.string(),
  kind: z.enum(savedViewKinds),
  content: savedViewContent,
});
export type SavedView = z.output<typeof savedView>;

export const viewFolder = z.object({ id: z.string(), parentId: z.nullable(z.string()), name: z.string() });
export type ViewFolder = z.output<typeof viewFolder>;

const byId = z.object({ id: documentId });
const place = z.nullable(documentId);

const viewsCall = { needsStatute: true, keepsSessionAlive: true } as const;

/** Keys that exist no more are left out of the answer, so that the rest of the view can still be used. */
export const listSavedViews = protectedCall({
  ...viewsCall,
  name: 'listSavedViews',
  method: 'GET',
  path: '/api/protected/views/list',
  load: 'heavy',
  summary: 'The caller’s saved views and their folders, by name',
  answer: z.object({ folders: z.array(viewFolder), items: z.array(savedView) }),
});

/**
 * E5. Throws RESOURCE_DUPLICATE for a name that the folder has already (without regard to case), RESOURCE_NOT_FOUND for an unknown folder,
 * VALIDATION_ERROR beyond `savedViewLimits`. Changes of one client are serialised.
 */
export const createSavedView = protectedCall({
  ...viewsCall,
  name: 'createSavedView',
  method: 'POST',
  path: '/api/protected/views/create',
  summary: 'Saves a view',
  body: z.strictObject({ folderId: z._default(place, null), name, kind: z.enum(savedViewKinds), content: savedViewContent }),
  answer: savedView,
});

/** Fields that are left out stay unchanged. */
export const updateSavedView = protectedCall({
  ...viewsCall,
  name: 'updateSavedView',
  method: 'POST',
  path: '/api/protected/views/update/:id',
  summary: 'Renames a view, moves it to another folder, or saves what it shows now',
  params: byId,
  body: z.strictObject({ folderId: z.optional(place), name: z.optional(name), content: z.optional(savedViewContent) }),
  answer: savedView,
});

export const deleteSavedView = protectedCall({
  ...viewsCall,
  name: 'deleteSavedView',
  method: 'POST',
  path: '/api/protected/views/delete/:id',
  summary: 'Deletes a view',
  params: byId,
  answer: 'nothing',
});

/** Throws as `createSavedView` does; VALIDATION_ERROR below `maxDepth` levels, too. */
export const createViewFolder = protectedCall({
  ...viewsCall,
  name: 'createViewFolder',
  method: 'POST',
  path: '/api/protected/views/folders/create',
  summary: 'Makes a folder for views, in another one if wanted',
  body: z.strictObject({ parentId: z._default(place, null), name }),
  answer: viewFolder,
});

/** Fields that are left out stay. Throws as `createViewFolder` does; VALIDATION_ERROR for a folder that would be inside itself. */
export const updateViewFolder = protectedCall({
  ...viewsCall,
  name: 'updateViewFolder',
  method: 'POST',
  path: '/api/protected/views/folders/update/:id',
  summary: 'Renames a folder, or moves it with all that is in it',
  params: byId,
  body: z.strictObject({ parentId: z.optional(place), name: z.optional(name) }),
  answer: viewFolder,
});

/** One statement: folders and views inside go with it. */
export const deleteViewFolder = protectedCall({
  ...viewsCall,
  name: 'deleteViewFolder',
  method: 'POST',
  path: '/api/protected/views/folders/delete/:id',
  summary: 'Deletes a folder with all that is in it',
  params: byId,
  answer: 'nothing',
});
