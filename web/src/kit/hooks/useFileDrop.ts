import { useState, type DragEvent } from 'react';

interface FileDrop {
  /** Files are held above the element. */
  readonly isOver: boolean;
  /** For the element that takes them: a short way for a pointer, beside a button that does the same. */
  readonly zone: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Takes files that are dropped on an element; while it `isFull`, none. */
export function useFileDrop(onFiles: (files: readonly File[]) => void, isFull = false): FileDrop {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    zone: {
      onDragOver: (event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isFull ? 'none' : 'copy';
        setIsOver(!isFull);
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      },
      onDrop: (event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        if (!isFull) onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');
