// Recognises binary formats by the name of a file.

/**
 * Formats that are never text. SVG, PEM and GeoJSON are text. Extensions that are used for text as often as for
 * something else (`.key`, `.pub`, `.raw`) are not listed: their content decides.
 */
const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    // images, textures, models
    'png jpg jpeg jfif gif bmp ico icns cur webp avif heic heif tif tiff psd psb xcf ai eps cr2 nef dng',
    'tga dds exr hdr ktx ktx2 pvr jp2 jxl glb fbx blend 3ds',
    // fonts
    'woff woff2 ttf ttc otf eot pfb pfm fon',
    // archives and disk images
    'zip gz tgz bz2 tbz2 xz txz lz lzma lz4 zst br 7z rar tar jar war ear aar apk aab ipa xpi crx whl egg gem',
    'nupkg vsix cab deb rpm msi dmg iso pkg snupkg cpio phar',
    // audio and video
    'mp3 wav flac ogg oga opus m4a aac wma aiff aif mid midi mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp ogv',
    // compiled and linked
    'exe dll so dylib o obj lib pdb ilk class pyc pyo pyd wasm bc elc beam rlib rmeta dex node ko elf bin',
    'mo gmo qm nib swiftmodule metallib spv cubin',
    // databases, models, numbers
    'db db3 sqlite sqlite3 mdb accdb dbf shp shx sbn mmdb rdb parquet avro orc feather arrow npy npz h5 hdf5',
    'pkl pickle joblib pt pth onnx tflite pb safetensors gguf ckpt mat rds rdata sas7bdat',
    // documents
    'pdf doc docx dot dotx xls xlsx xlsm xlsb ppt pptx pps ppsx odt ods odp odg numbers epub mobi',
    'vsd vsdx sketch xd indd',
    // keys and caches in binary form
    'jks keystore p12 pfx der kdbx swp idx pack lockb',
  ].flatMap((line) => line.split(' ')),
);

/** True for names of images, archives and the like, which are never opened. */
export function hasBinaryExtension(path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot >= 0 && BINARY_EXTENSIONS.has(path.slice(dot + 1).toLowerCase());
}
