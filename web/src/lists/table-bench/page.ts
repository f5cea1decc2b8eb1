import '#kit/styles/design.css';

/* The page whose table `npm run bench table` sorts and turns: with all columns and as many rows as `?rows` says, or with `?bare` the texts of a hundred in a plain table. */
if (location.search === '?bare') await import('./bare.ts');
else await import('./list.tsx');
