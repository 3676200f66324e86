import { useState } from "react";
import styles from "./image-view.module.css";
import { ZoomBar } from "./zoom-bar.tsx";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

/** A picture, as large as there is room for, and larger. */
export function ImageView({ url, name, onFailed }: ViewProps) {
  const [zoom, setZoom] = useState(1);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  return (
    <>
      {size === null && <ViewLoading />}
      <div className={styles.scroller} role="region" aria-label={name} tabIndex={0} hidden={size === null}>
        <img
          className={styles.image}
          src={url}
          alt={name}
          style={{
            width: `${zoom * 100}%`,
            maxWidth: zoom === 1 ? (size?.width ?? 0) || undefined : undefined,
          }}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          onError={onFailed}
        />
      </div>
      {size !== null && (
        <ZoomBar zoom={zoom} onZoom={setZoom}>
          {size.width > 0 && `${size.width} × ${size.height}`}
        </ZoomBar>
      )}
    </>
  );
}
