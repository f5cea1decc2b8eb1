import '#kit/design.css';

/* The page whose table `npm run bench table` sorts and turns: a hundred rows with all columns, or with `?bare` their texts in a plain table. */
if (location.search === '?bare') await import('./bare.ts');
else await import('./list.tsx');
